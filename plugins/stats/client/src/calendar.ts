import { number, t, locale } from "@longbox/sdk/ui";
import { css, html, svg, type TemplateResult } from "lit";
import type { Day } from "@longbox/stats/api";

const height = 100;
const dates = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", timeZone: "UTC" });

/** A column for each day to look at, and a table to be read out; a table itself would not shrink to nothing. */
export function calendar(days: readonly Day[]): TemplateResult {
  const most = Math.max(1, ...days.map(({ grabs }) => grabs));
  return html`
    <p class="soft">${t("calendar.inTheLastDays", { days: days.length })}</p>
    <div class="calendar" aria-hidden="true">
      ${days.map(({ day: date, grabs }) => html`<div class=${grabs === 0 ? "none" : ""}><b>${grabs === 0 ? "" : number(grabs)}</b>${column(grabs / most)}<span>${Number(date.slice(8))}</span></div>`)}
    </div>
    <p class="ends soft" aria-hidden="true">
      <span>${day(days[0]?.day ?? "")}</span><span>${day(days.at(-1)?.day ?? "")}</span>
    </p>
    <div class="hidden">
      <table>
        <caption>
          ${t("calendar.downloadsOfEachDay")}
        </caption>
        <thead>
          <tr>
            <th scope="col">${t("calendar.day")}</th>
            <th scope="col">${t("calendar.downloads")}</th>
          </tr>
        </thead>
        <tbody>
          ${days.map(
            ({ day: date, grabs }) =>
              html`<tr>
                <th scope="row">${day(date)}</th>
                <td>${number(grabs)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  `;
}

/** @param share - Of the highest column, 0 to 1; a day without any is a line on the ground. */
function column(share: number): TemplateResult {
  const length = Math.max(2, share * height);
  return html`<svg viewBox="0 0 10 ${height}" preserveAspectRatio="none">
    ${svg`<rect y=${height - length} width="10" height=${length}></rect>`}
  </svg>`;
}

/** `2026-05-31` as `31 May`. */
function day(text: string): string {
  return dates.format(new Date(`${text}T00:00:00Z`));
}

export const calendarStyle = css`
  .calendar {
    display: grid;
    grid-auto-flow: column;
    grid-auto-columns: minmax(0, 1fr);
    gap: clamp(2px, 0.6vw, var(--lb-space-3));
    text-align: center;
    font-size: var(--lb-text-s);
  }
  .calendar > div {
    display: grid;
    grid-template-rows: 1.5rem 7rem auto;
  }
  .calendar svg {
    display: block;
    width: 100%;
    height: 100%;
    border-bottom: 2px solid light-dark(var(--lb-ink), var(--lb-ink-soft));
  }
  .calendar rect {
    fill: var(--lb-accent);
  }
  .calendar .none rect {
    fill: var(--lb-line);
  }
  .calendar span {
    padding-top: var(--lb-space-1);
    color: var(--lb-ink-soft);
    font: var(--lb-text-xs) / 1.4 var(--lb-font-mono);
  }
  .ends {
    display: flex;
    justify-content: space-between;
    margin-top: calc(-1 * var(--lb-space-3));
    font-size: var(--lb-text-s);
  }
`;
