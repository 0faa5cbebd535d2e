import { badge, type CardOptions, type ClientBadge, cover, day, t } from "@longbox/sdk/ui";
import type { SeriesRow } from "@longbox/collection/api";
import { css, html, nothing } from "lit";

/** How the library is drawn: a wall of covers, lines with a small cover, or lines of text. */
export const views = [
  { id: "grid", label: t("seriesLine.covers") },
  { id: "list", label: t("seriesLine.list") },
  { id: "compact", label: t("seriesLine.compactList") },
] as const;
export type View = (typeof views)[number]["id"];

export const lineHeights = { list: 72, compact: 40 } as const;

interface Line {
  readonly series: SeriesRow;
  readonly badges: readonly ClientBadge[];
  readonly isCompact: boolean;
}

/** A series as one line of a list. */
export function seriesLine({ series, badges, isCompact }: Line, options: CardOptions) {
  const { title, year, publisher, latest } = series;
  return html`<a
    class="series-line${isCompact ? " compact" : ""}${options.isSelected ? " selected" : ""}"
    href="/series/${series.id}"
    tabindex=${options.tabindex ?? 0}
    data-index=${options.index ?? nothing}
    draggable="false"
  >
    ${isCompact ? nothing : cover({ path: series.cover, title, sizes: "44px", isMissing: series.owned === 0 })}
    <span class="names"
      ><strong>${title}</strong> <span class="soft">${[year, publisher].filter(Boolean).join(" · ")}</span></span
    >
    ${series.corrupt > 0 ? html`<b class="bad">${t("seriesLine.damaged")}</b>` : nothing}
    <span class="badges-of">${badges.map(badge)}</span>
    <span class="owned">${ownedOf(series)}</span>
    <span class="latest soft">${latest ? day(latest) : ""}</span>
    ${options.isSelected ? html`<span class="hidden">${t("seriesLine.selected")}</span>` : nothing}
  </a>`;
}

function ownedOf({ owned, total, missing, numberGaps }: SeriesRow): string {
  return missing + numberGaps === 0
    ? t("series.owned", { owned })
    : t("seriesLine.of", { owned, total: total + numberGaps });
}

export const seriesLineStyle = css`
  .series-line {
    display: grid;
    grid-template-columns: 44px minmax(0, 1fr) auto auto 5.5rem 7rem;
    align-items: center;
    gap: var(--lb-space-3);
    height: 68px;
    padding-inline: var(--lb-space-2);
    border-bottom: 1px solid var(--lb-line);
    border-radius: var(--lb-radius-s);
    color: var(--lb-ink);
    text-decoration: none;
    -webkit-touch-callout: none;
  }
  .series-line.compact {
    grid-template-columns: minmax(0, 1fr) auto auto 5.5rem 7rem;
    height: 38px;
  }
  .series-line > .bad {
    color: var(--lb-danger);
    font-size: var(--lb-text-s);
  }
  /* Without a problem, its column is empty. */
  .series-line .names {
    overflow: hidden;
    text-overflow: ellipsis;
    white-space: nowrap;
  }
  .series-line .badges-of {
    grid-column: -4;
    display: flex;
    align-items: center;
    gap: 4px;
  }
  .series-line .owned,
  .series-line .latest {
    font: 400 var(--lb-text-s) var(--lb-font-mono);
    text-align: end;
    white-space: nowrap;
  }
  .series-line:hover {
    background: var(--lb-surface);
  }
  .series-line.selected {
    background: var(--lb-accent-soft);
    box-shadow: inset 4px 0 0 var(--lb-accent);
  }
  .series-line.selected:dir(rtl) {
    box-shadow: inset -4px 0 0 var(--lb-accent);
  }
  .series-line .cover {
    width: 40px;
  }
  .series-line .sleeve {
    font-size: 0;
  }
  @media (width < 45rem) {
    .series-line {
      grid-template-columns: 44px minmax(0, 1fr) auto auto auto;
    }
    .series-line.compact {
      grid-template-columns: minmax(0, 1fr) auto auto auto;
    }
    .series-line .badges-of {
      grid-column: -3;
    }
    .series-line .latest {
      display: none;
    }
  }
`;
