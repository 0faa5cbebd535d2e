import { css, html, LitElement } from "lit";
import { customElement, property } from "lit/decorators.js";
import { controlsStyle } from "./controls-style.js";
import { directionLabels, fitLabels, modeLabels, stageLabels, type Choices } from "./choices.js";

type Choosable = Exclude<keyof Choices, "trim" | "coverAlone">;

/** The panel with the view options. Dispatches `choose` (detail: the changed options). */
@customElement("longbox-view-panel")
export class ViewPanel extends LitElement {
  @property({ attribute: false }) choices!: Choices;

  static override styles = [
    controlsStyle,
    css`
      :host {
        display: grid;
        gap: var(--lb-space-4);
        width: min(20rem, calc(100vw - 2 * var(--lb-space-3)));
        max-height: calc(100dvh - 9rem);
        overflow: auto;
        padding: var(--lb-space-4);
        border: 1px solid var(--lb-line);
        border-radius: var(--lb-radius-l);
        background: var(--lb-raised);
        box-shadow: var(--lb-shadow-2);
        color: var(--lb-ink);
        font: 400 var(--lb-text-s) / 1.4 var(--lb-font-text);
      }
      fieldset {
        display: grid;
        grid-template-columns: 1fr 1fr;
        gap: var(--lb-space-1);
        margin: 0;
        padding: 0;
        border: 0;
      }
      legend {
        margin-bottom: var(--lb-space-1);
        padding: 0;
        font: 700 var(--lb-text-s) / 1.2 var(--lb-font-display);
        color: var(--lb-ink-soft);
      }
      label {
        display: flex;
        align-items: center;
        min-height: 40px;
        padding: 0 var(--lb-space-3);
        border: 1px solid var(--lb-line);
        border-radius: var(--lb-radius-m);
        cursor: pointer;
      }
      label:has(:checked) {
        border-color: var(--lb-accent);
        background: var(--lb-accent-soft);
      }
      label:has(:focus-visible) {
        outline: var(--lb-focus);
        outline-offset: 1px;
      }
      label input {
        position: absolute;
        opacity: 0;
        pointer-events: none;
      }
      label.switch input {
        position: static;
        opacity: 1;
        width: 18px;
        height: 18px;
        margin: 0 var(--lb-space-2) 0 0;
        accent-color: var(--lb-accent);
      }
      .wide {
        grid-column: 1 / -1;
      }
    `,
  ];

  override render() {
    const isPaged = this.choices.mode !== "continuous";
    return html`${this.#group("Pages", "mode", modeLabels)}
      ${isPaged ? this.#group("Direction", "direction", directionLabels) : ""} ${this.#group("Size", "fit", fitLabels)}
      ${this.#group("Background", "stage", stageLabels)}
      <fieldset>
        <legend>Pages as scanned</legend>
        ${this.#switch("trim", "Cut away plain borders")}
        ${this.choices.mode === "double" || this.choices.mode === "auto" ? this.#switch("coverAlone", "Cover stands alone") : ""}
      </fieldset>`;
  }

  #group<K extends Choosable>(legend: string, name: K, labels: Record<Choices[K] & string, string>) {
    return html`<fieldset>
      <legend>${legend}</legend>
      ${Object.entries<string>(labels).map(
        ([value, label]) =>
          html`<label
            ><input
              type="radio"
              name=${name}
              value=${value}
              .checked=${this.choices[name] === value}
              @change=${() => this.#choose({ [name]: value })}
            />${label}</label
          >`,
      )}
    </fieldset>`;
  }

  #switch(name: "trim" | "coverAlone", label: string) {
    return html`<label class="switch wide"
      ><input
        type="checkbox"
        .checked=${this.choices[name]}
        @change=${() => this.#choose({ [name]: !this.choices[name] })}
      />${label}</label
    >`;
  }

  #choose(change: Partial<Choices>): void {
    this.dispatchEvent(new CustomEvent("choose", { detail: change }));
  }
}
