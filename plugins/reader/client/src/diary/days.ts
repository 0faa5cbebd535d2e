import { t, locale } from "@longbox/sdk/ui";
import { css, html, svg, type TemplateResult } from "lit";
import type { DiaryDay } from "@longbox/reader/api";

const height = 100;
const gap = 3;
const wide = 10;
const dates = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone: "UTC" });

/** A chart with a column for each day, and for screen readers a list of the days with reading. */
export function daysChart(days: readonly DiaryDay[]): TemplateResult {
  const most = Math.max(1, ...days.map(({ pages }) => pages));
  const busiest = days.find(({ pages }) => pages === most);
  return html`<figure>
    <svg class="days" viewBox="0 0 ${days.length * wide - gap} ${height}" preserveAspectRatio="none" aria-hidden="true">
      ${days.map((day, index) => column(day, index, most))}
    </svg>
    <p class="ends soft" aria-hidden="true"><span>${nameOf(days[0])}</span><span>${nameOf(days.at(-1))}</span></p>
    <figcaption class="soft">
      ${busiest ? html`${t("days.theMostOnPages", { busiest: nameOf(busiest), pages: busiest.pages })}` : html`${t("days.nothingWasReadIn", { days: days.length })}`}
    </figcaption>
    <ul class="hidden">
      ${days.filter(({ pages }) => pages > 0).map((day) => html`<li>${t("days.pages", { day: nameOf(day), pages: day.pages })}${day.finished > 0 ? html`, ${t("days.finished", { finished: day.finished })}` : ""}</li>`)}
    </ul>
  </figure>`;
}

/** A day without reading is drawn as a line at the bottom. */
function column({ day, pages }: DiaryDay, index: number, most: number): TemplateResult {
  const length = Math.max(1.5, (pages / most) * height);
  return svg`<rect class=${pages === 0 ? "none" : ""} x=${index * wide} y=${height - length} width=${wide - gap} height=${length}><title>${nameOf({ day })}: ${pages}</title></rect>` as TemplateResult;
}

function nameOf(day: { readonly day: string } | undefined): string {
  return day ? dates.format(new Date(`${day.day}T00:00:00Z`)) : "";
}

export const daysStyle = css`
  figure {
    margin: 0;
  }
  .days {
    display: block;
    width: 100%;
    height: 9rem;
  }
  .days:dir(rtl) {
    scale: -1 1;
  }
  .days rect {
    fill: var(--lb-accent);
  }
  .days rect.none {
    fill: var(--lb-line);
  }
  .ends {
    display: flex;
    justify-content: space-between;
    margin: var(--lb-space-1) 0 var(--lb-space-2);
    font: 400 var(--lb-text-xs) / 1.4 var(--lb-font-mono);
  }
`;
