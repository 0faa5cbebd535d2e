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
  shownOnce,
  toggle,
} from "@longbox/sdk/ui";
import { html } from "lit";
import { state } from "lit/decorators.js";
import { style } from "../style.js";

/** Buttons, fields, tags, bars of progress and icons. */
@element("kit-basics")
export class KitBasics extends LongboxElement {
  @state() private isOn = true;
  @state() private hasGaps = true;
  @state() private order: "title" | "year" = "title";
  @state() private page = 1;
  @state() private isLit = false;
  @state() private isLocked = false;
  @state() private size: "small" | "large" = "small";
  /** Ends the change that is under way, as the server would: good or not. */
  #end: (isGood: boolean) => void = () => undefined;
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
          this.order,
          (order) => (this.order = order),
        )}
        ${check("With gaps", this.hasGaps, (hasGaps) => (this.hasGaps = hasGaps))}
        ${check({ label: "Disabled", isDisabled: true }, false, () => undefined)}
        ${toggle("Switched on", this.isOn, (isOn) => (this.isOn = isOn))}
        ${toggle({ label: "Cannot be switched", isDisabled: true }, false, () => undefined)}
      </p>
      ${problem("The server refused that.")} ${this.#changes()}
    </section>`;
  }

  /** What a user chose stays in a control until the change has ended. */
  #changes() {
    return html`<h3>Changes that take time</h3>
      <p class="row">
        ${toggle("Shelf is lit", this.isLit, (isLit) => this.#change(() => (this.isLit = isLit)))}
        ${check("Shelf is locked", this.isLocked, (isLocked) => this.#change(() => (this.isLocked = isLocked)))}
        ${choice(
          {
            label: "Shelf",
            choices: [
              ["small", "Small"],
              ["large", "Large"],
            ] as const,
          },
          this.size,
          (size) => this.#change(() => (this.size = size)),
        )}
        <button type="button" @click=${() => this.requestUpdate()}>Draw again</button>
        <button type="button" @click=${() => this.#end(true)}>Let it succeed</button>
        <button type="button" @click=${() => this.#end(false)}>Let it fail</button>
      </p>`;
  }

  async #change(make: () => void): Promise<void> {
    const isGood = await new Promise<boolean>((resolve) => (this.#end = resolve));
    if (isGood) make();
  }

  #surfaces() {
    return html`<section aria-label="Surfaces">
      <h2>Cards, tags, progress and secrets</h2>
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
      <div class="card roomy stack">
        <h3>A roomy card</h3>
        ${shownOnce({
          secret: "lamp-otter-quill-seven",
          notice: "Copy it now: you will not see it again.",
          copied: "The password was copied.",
          run: (copying) => copying(),
        })}
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
