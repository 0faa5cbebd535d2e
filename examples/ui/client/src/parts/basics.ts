import {
  check,
  choice,
  element,
  field,
  icon,
  iconNames,
  LongboxElement,
  pager,
  problem,
  progress,
  toggle,
} from "@longbox/sdk/ui";
import { html } from "lit";
import { state } from "lit/decorators.js";
import { style } from "../style.js";

/** Buttons, fields, tags, bars of progress and icons. */
@element("kit-basics")
export class KitBasics extends LongboxElement {
  @state() private isOn = true;
  @state() private page = 1;
  static override styles = style;

  override render() {
    return html`${this.#buttons()} ${this.#fields()} ${this.#surfaces()} ${this.#icons()}`;
  }

  #buttons() {
    return html`<section aria-label="Buttons">
      <h2>Buttons</h2>
      <p class="row">
        <button type="button" class="primary">${icon("book")}Primary</button>
        <button type="button">Usual</button>
        <button type="button" aria-pressed="true">Pressed</button>
        <button type="button" class="danger">Dangerous</button>
        <button type="button" class="quiet">Quiet</button>
        <button type="button" disabled>Disabled</button>
        <button type="button" class="round" aria-label="More">${icon("more")}</button>
        <a class="button" href="/kit">A link</a>
      </p>
      ${pager({ page: this.page, hasNext: this.page < 2, text: `Page ${this.page + 1} of 3`, turn: (page) => (this.page = page) })}
    </section>`;
  }

  #fields() {
    return html`<section aria-label="Fields">
      <h2>Fields</h2>
      ${field({ name: "title", label: "Title", hint: "As on the cover.", placeholder: "Moth Patrol" })}
      ${field({ name: "year", label: "Year", type: "number", value: "1820", problem: "No comic is as old as that." })}
      <p class="row">
        ${choice(
          {
            label: "Sort by",
            choices: [
              ["title", "Title"],
              ["year", "Year"],
            ] as const,
          },
          "title",
          () => undefined,
        )}
        ${check("With gaps", true, () => undefined)}
        ${check({ label: "Disabled", isDisabled: true }, false, () => undefined)}
        ${toggle("Switched on", this.isOn, (isOn) => (this.isOn = isOn))}
        ${toggle({ label: "Cannot be switched", isDisabled: true }, false, () => undefined)}
      </p>
      ${problem("The server refused that.")}
    </section>`;
  }

  #surfaces() {
    return html`<section aria-label="Surfaces">
      <h2>Cards, tags and progress</h2>
      <div class="card stack">
        <h3>A card</h3>
        <p class="row">
          <span class="tag">Tag</span><span class="tag good">Good</span><span class="tag warn">Warning</span
          ><span class="tag bad">Bad</span><span class="tag busy">Busy</span>
        </p>
        ${progress({ label: "Reading files", done: 12, total: 50, unit: "files", cancel: () => undefined })}
        ${progress({ label: "Waiting for an answer", done: 0, total: 0 })}
        ${progress({ label: "Done", done: 50, total: 50, unit: "files" })}
      </div>
    </section>`;
  }

  #icons() {
    return html`<section aria-label="Icons">
      <h2>Icons</h2>
      <ul class="icons">
        ${iconNames.map((name) => html`<li>${icon(name)}${name}</li>`)}
      </ul>
    </section>`;
  }
}
