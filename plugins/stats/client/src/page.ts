import { html, type TemplateResult } from "lit";
import { customElement } from "lit/decorators.js";
import { barStyle } from "./bars.js";
import { calendarStyle } from "./calendar.js";
import { inks } from "./inks.js";
import { StatsPanel } from "./panel.js";
import { completeness, inTheBox, lately, onDisk, statement } from "./sections.js";
import type { Stats } from "./shapes.js";
import { boxStyle } from "./spines.js";
import { style } from "./style.js";

/** `/statistics`: what the library holds, what it lacks and what is happening in it. */
@customElement("stats-page")
export class StatisticsPage extends StatsPanel {
  static override styles = [style, inks, barStyle, boxStyle, calendarStyle];

  override render(): TemplateResult {
    return html`<h1>Statistics</h1>${this.#body()}`;
  }

  #body(): TemplateResult {
    const { value, problem } = this;
    if (value) return holdsNothing(value) ? empty : this.#sheet(value);
    if (problem !== undefined) {
      return html`<div class="notice" role="alert"><h2>The statistics could not be read</h2><p class="problem">${problem}</p><button @click=${() => this.refresh()}>Try again</button></div>`;
    }
    return html`<div class="waiting" role="status"><span class="hidden">Counting …</span><i></i><i></i><i></i></div>`;
  }

  #sheet(stats: Stats): TemplateResult {
    return html`${statement(stats)}
      <div class="sheet">${inTheBox(stats)} ${completeness(stats, (event) => this.#go(event))} ${onDisk(stats)} ${lately(stats)}</div>`;
  }

  /** Goes where a link leads without loading the document anew; new tabs and windows are left to the browser. */
  #go(event: MouseEvent): void {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    this.longbox.navigate((event.currentTarget as HTMLAnchorElement).pathname);
  }
}

const empty = html`<div class="notice"><h2>The box is empty</h2><p class="soft">As soon as a library has been scanned or a series added, this page counts what there is.</p></div>`;

function holdsNothing({ files, collection }: Stats): boolean {
  return files.total === 0 && collection.series === 0;
}
