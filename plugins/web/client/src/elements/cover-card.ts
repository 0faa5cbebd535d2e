import { number } from "@longbox/sdk/ui";
import { css, html, nothing } from "lit";
import { issueNumber } from "../shell/wording.js";
import type { IssueRow, SeriesRow } from "../shell/shapes.js";
import "./cover.js";

/** One cover with its caption, as a link; the same in every grid and strip. */
export interface Card {
  readonly href: string;
  readonly cover: string | null;
  readonly title: string;
  /** The small line under the title. */
  readonly note: string;
  /** What stands on the sleeve when there is no cover; without it, the title. */
  readonly sleeve?: string;
  readonly number?: string;
  /** Between 0 and 1: how much of it is owned. */
  readonly share?: number;
  readonly missing?: boolean;
  readonly problem?: boolean;
}

export function seriesCard(series: SeriesRow): Card {
  const complete = series.missing === 0;
  const issues = complete ? number(series.owned) : `${number(series.owned)}/${number(series.total)}`;
  return {
    href: `/series/${series.id}`,
    cover: series.cover,
    title: series.title,
    note: [series.year, issues].filter((part) => part !== null && part !== undefined).join(" · "),
    ...(series.total > 0 ? { share: series.owned / series.total } : {}),
    problem: series.corrupt > 0,
  };
}

export function issueCard(issue: IssueRow, seriesTitle: string): Card {
  return {
    href: `/issue/${issue.cvIssueId}`,
    cover: issue.cover,
    title: issueNumber(issue.number),
    note: issue.title ?? (issue.owned ? "" : "not owned"),
    sleeve: seriesTitle,
    number: issueNumber(issue.number),
    missing: !issue.owned,
    problem: issue.corrupt,
  };
}

/** `tabindex` is -1 for all cells of a grid but one, which the arrow keys move on from. */
export function cardTemplate(card: Card, options: { tabindex?: number; sizes?: string; eager?: boolean; index?: number } = {}) {
  const label = [card.title, card.note].filter(Boolean).join(", ");
  return html`<a class="cover-card" href=${card.href} tabindex=${options.tabindex ?? 0} aria-label=${label} data-index=${options.index ?? nothing}>
    <lb-cover
      .path=${card.cover}
      title=${card.sleeve ?? card.title}
      number=${card.number ?? ""}
      sizes=${options.sizes ?? "160px"}
      ?eager=${options.eager ?? false}
      ?missing=${card.missing ?? false}
    ></lb-cover>
    ${card.share !== undefined && card.share < 1 ? html`<progress class="share" max="1" .value=${card.share} aria-hidden="true"></progress>` : html`<span class="share-none"></span>`}
    <span class="caption">${card.title}</span>
    <span class="note">${card.problem ? html`<b class="bad">damaged</b> ` : nothing}${card.note}</span>
  </a>`;
}

export const cardStyles = css`
  .cover-card {
    display: grid;
    grid-template-rows: auto auto auto 1fr;
    align-content: start;
    min-width: 0;
    border-radius: var(--lb-radius-s);
    color: var(--lb-ink);
    text-decoration: none;
  }
  .cover-card:focus-visible {
    outline-offset: 4px;
  }
  .cover-card lb-cover {
    transition:
      transform var(--lb-fast),
      box-shadow var(--lb-fast);
  }
  /* Pulled a little out of the box. */
  @media (hover: hover) {
    .cover-card:hover lb-cover {
      transform: translateY(-5px);
      box-shadow: var(--lb-shadow-2);
    }
  }
  .cover-card:focus-visible lb-cover {
    transform: translateY(-5px);
    box-shadow: var(--lb-shadow-2);
  }
  .share,
  .share-none {
    display: block;
    width: 100%;
    height: 3px;
    margin-top: 5px;
    border: 0;
    border-radius: 2px;
    overflow: hidden;
    appearance: none;
    background: transparent;
  }
  .share {
    background: var(--lb-line);
  }
  .share::-webkit-progress-bar {
    background: var(--lb-line);
  }
  .share::-webkit-progress-value {
    background: var(--lb-accent);
  }
  .share::-moz-progress-bar {
    background: var(--lb-accent);
  }
  .caption {
    overflow: hidden;
    margin-top: 3px;
    font: 700 1.0625rem / 1.2 var(--lb-font-display);
    white-space: nowrap;
    text-overflow: ellipsis;
  }
  .note {
    overflow: hidden;
    font: 400 var(--lb-text-xs) / 1.4 var(--lb-font-mono);
    color: var(--lb-ink-soft);
    white-space: nowrap;
    text-overflow: ellipsis;
  }
  .bad {
    color: var(--lb-danger);
  }
`;
