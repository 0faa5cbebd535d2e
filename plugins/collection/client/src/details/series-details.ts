import type { SeriesDocument } from "@longbox/collection/api";
import {
  Action,
  cover,
  covers,
  element,
  field,
  LongboxElement,
  problem,
  Resource,
  submitted,
  t,
} from "@longbox/sdk/ui";
import { html, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { lockLine } from "./lock-line.js";
import { detailsStyle } from "./style.js";

type Field = SeriesDocument["locked"][number];

/** The action that edits what is known about a series, and chooses its cover. */
@element("collection-details")
export class SeriesDetails extends LongboxElement<{ readonly items?: ReadonlyArray<{ readonly id: number }> }> {
  static override styles = [covers, detailsStyle];
  /** What was locked or unlocked here; the rest is as the server says. */
  @state() private locks: ReadonlyMap<Field, boolean> = new Map();
  @state() private chosenCover: number | null | undefined;
  readonly #action = new Action(this);
  readonly #series = new Resource<SeriesDocument>(this, {
    path: () => (this.subject.items?.[0] ? `/api/collection/${this.subject.items[0].id}` : undefined),
  });

  override render(): unknown {
    return this.#series.render((series) => this.#form(series));
  }

  #form(series: SeriesDocument): TemplateResult {
    return html`<form class="stack" @submit=${(event: Event) => void this.#save(event, series)}>
      <p class="soft">${t("seriesDetails.whatIsLockedStays")}</p>
      ${this.#line(series, "title", field({ name: "title", label: t("seriesDetails.title"), value: series.title, required: true, problem: this.#action.problemOf("title"), input: () => this.#lock("title", true) }))}
      ${this.#line(series, "publisher", field({ name: "publisher", label: t("seriesDetails.publisher"), value: series.publisher ?? "", problem: this.#action.problemOf("publisher"), input: (value) => this.#lock("publisher", value !== "") }))}
      ${this.#line(series, "year", field({ name: "year", label: t("seriesDetails.year"), type: "number", value: series.year === null ? "" : String(series.year), problem: this.#action.problemOf("year"), input: (value) => this.#lock("year", value !== "") }))}
      ${this.#line(series, "description", this.#description(series))} ${this.#covers(series)}
      ${problem(this.#action.problem)}
      <div class="row end">
        <button class="primary" ?disabled=${this.#action.busy}>${t("seriesDetails.save")}</button>
      </div>
    </form>`;
  }

  #description({ description = "" }: SeriesDocument): TemplateResult {
    return html`<div class="field">
      <label for="description">${t("seriesDetails.description")}</label>
      <textarea
        id="description"
        name="description"
        .value=${description}
        @input=${(event: Event) => this.#lock("description", (event.target as HTMLTextAreaElement).value !== "")}
      ></textarea>
    </div>`;
  }

  #line(series: SeriesDocument, name: Field, control: TemplateResult): TemplateResult {
    const isLocked = this.#isLocked(series, name);
    return lockLine({ name, isLocked, changed: (now) => this.#lock(name, now) }, control);
  }

  #covers(series: SeriesDocument): TemplateResult {
    const chosen = this.chosenCover === undefined ? series.coverIssue : this.chosenCover;
    const choose = (id: number | null) => () => (this.chosenCover = id);
    return html`<fieldset>
      <legend>${t("seriesDetails.cover")}</legend>
      <label class="check"
        ><input
          type="radio"
          name="cover"
          .checked=${chosen === null}
          @change=${choose(null)}
        />${t("seriesDetails.theFirstThatIs", { one: series.unit.one })}</label
      >
      <ul class="covers">
        ${repeat(
          series.issues.filter(({ owned }) => owned),
          ({ id }) => id,
          (issue) =>
            html`<li>
              <label
                ><input
                  class="hidden"
                  type="radio"
                  name="cover"
                  aria-label=${t("seriesDetails.theCoverOf", { full: issue.label.full })}
                  .checked=${chosen === issue.cvIssueId}
                  @change=${choose(issue.cvIssueId)}
                />${cover({ path: issue.cover, title: series.title, number: issue.label.short, sizes: "96px" })}<span
                  class="label"
                  >${issue.label.short}</span
                ></label
              >
            </li>`,
        )}
      </ul>
    </fieldset>`;
  }

  #isLocked(series: SeriesDocument, name: Field): boolean {
    return this.locks.get(name) ?? series.locked.includes(name);
  }

  #lock(name: Field, isLocked: boolean): void {
    this.locks = new Map([...this.locks, [name, isLocked]]);
  }

  async #save(event: Event, series: SeriesDocument): Promise<void> {
    const { title = "", publisher = "", year = "", description = "" } = submitted(event);
    const given = {
      title: title.trim(),
      publisher: publisher.trim() || null,
      year: year === "" ? null : Number(year),
      description: description.trim() || null,
    };
    const before = { ...series, description: series.description?.trim() || null };
    const changed = Object.entries(given).filter(([name, value]) => value !== before[name as Field]);
    const names: readonly Field[] = ["title", "publisher", "year", "description"];
    const isSaved = await this.#action.run(
      () =>
        this.post(`/api/collection/${series.id}/details`, {
          ...Object.fromEntries(changed),
          ...(this.chosenCover !== undefined && { coverIssue: this.chosenCover }),
          locked: names.filter((name) => this.#isLocked(series, name)),
        }),
      t("seriesDetails.saved"),
    );
    if (isSaved) this.dispatchEvent(new CustomEvent("done", { bubbles: true, composed: true }));
  }
}
