import type { Release, ReleaseList } from "@longbox/releases/api";
import { day, element, LongboxElement, styled, t, locale } from "@longbox/sdk/ui";
import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { style } from "./style.js";
import { nameOf } from "./week.js";

const dayMs = 86_400_000;
const mostShown = 6;
const weekdays = new Intl.DateTimeFormat(locale, { weekday: "short", timeZone: "UTC" });
const dayText = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** A month as a calendar; on a narrow window a list of its days. */
@element("releases-month")
export class ReleasesMonth extends LongboxElement {
  static override styles = style;
  static override properties: PropertyDeclarations = { ...LongboxElement.properties, list: { attribute: false } };
  declare list: ReleaseList;

  override render(): TemplateResult {
    const { from, to, releases } = this.list;
    const byDay = Map.groupBy(releases, ({ storeDate }) => storeDate);
    const [first, last] = [Date.parse(from), Date.parse(to)];
    const days = Array.from({ length: (last - first) / dayMs + 1 }, (_, index) => dayText(first + index * dayMs));
    const before = (new Date(first).getUTCDay() + 6) % 7;
    return html`<div class="calendar-head" aria-hidden="true">
        ${Array.from({ length: 7 }, (_, index) => html`<span>${weekdays.format(Date.UTC(2024, 0, 1 + index))}</span>`)}
      </div>
      <ol class="calendar" ${styled({ "--before": String(before) })}>
        ${days.map((date) => this.#day(date, byDay.get(date) ?? []))}
      </ol>`;
  }

  #day(date: string, releases: readonly Release[]): TemplateResult {
    const sorted = releases.toSorted((one, other) => rank(other) - rank(one));
    const rest = sorted.length - mostShown;
    return html`<li class=${releases.length === 0 ? "empty" : ""}>
      <a class="date" href="/releases/${date}" aria-label=${t("month.theWeekOf", { date: day(date) })}>
        <span class="number">${Number(date.slice(8))}</span><span class="long">${day(date)}</span>
      </a>
      <ul>
        ${sorted
          .slice(0, mostShown)
          .map(
            (release) =>
              html`<li class=${release.mine ? "mine" : ""}>
                ${release.seriesId === null ? nameOf(release) : html`<a href="/series/${release.seriesId}">${nameOf(release)}</a>`}
              </li>`,
          )}
      </ul>
      ${rest > 0 ? html`<a class="label" href="/releases/${date}">${t("month.more", { rest })}</a>` : nothing}
    </li>`;
  }
}

const rank = ({ mine, wanted, tracked }: Release): number => (mine ? 4 : 0) + (wanted ? 2 : 0) + (tracked ? 1 : 0);
