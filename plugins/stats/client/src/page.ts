import { element, LongboxElement, notice, Resource, skeleton, t } from "@longbox/sdk/ui";
import { html, type TemplateResult } from "lit";
import { barStyle } from "./bars.js";
import { calendarStyle } from "./calendar.js";
import { inks } from "./inks.js";
import { completeness, inTheBox, lately, onDisk, statement } from "./sections.js";
import type { Stats } from "@longbox/stats/api";
import { boxStyle } from "./spines.js";
import { style } from "./style.js";

/** The server counts at most once a minute, so what changed may only be in the numbers a minute later. */
const countedAgainMs = 61_000;

/** `/statistics`: what the library holds, what it lacks and what is happening in it. */
@element("stats-page")
export class StatisticsPage extends LongboxElement {
  static override styles = [style, inks, barStyle, boxStyle, calendarStyle];
  readonly #stats = new Resource<Stats>(this, { path: "/api/stats", domains: ["collection"], delayMs: countedAgainMs });

  override render(): TemplateResult {
    const body = this.#stats.render((stats) => (holdsNothing(stats) ? empty : sheet(stats)), {
      waiting: skeleton(t("page.counting")),
      failed: (text, retry) =>
        notice({
          drawing: "torn",
          heading: t("page.theStatisticsCouldNot"),
          text,
          isProblem: true,
          action: { label: t("page.tryAgain"), run: retry },
        }),
    });
    return html`<h1>${t("page.statistics")}</h1>
      ${body}`;
  }
}

const empty = notice({
  drawing: "box",
  heading: t("page.theLibraryIsEmpty"),
  text: t("page.asSoonAsA"),
});

function sheet(stats: Stats): TemplateResult {
  return html`${statement(stats)}
    <div class="sheet">${inTheBox(stats)} ${completeness(stats)} ${onDisk(stats)} ${lately(stats)}</div>`;
}

function holdsNothing({ files, collection }: Stats): boolean {
  return files.total === 0 && collection.series === 0;
}
