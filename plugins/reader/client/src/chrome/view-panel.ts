import { locale, rich, t } from "@longbox/sdk/ui";
import { html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { colourRanges, noColours, type Colours } from "../stage/colours.js";
import { turnedOn } from "../stage/rotation.js";
import { tapLabels } from "../stage/tap-zones.js";
import type { ReaderAction } from "../commands.js";
import { chosenOf, offeredModes } from "../room-for-two.js";
import { directionLabels, fastest, fitLabels, stageLabels, type Choices } from "./choices.js";
import { viewPanelStyle } from "./view-panel-style.js";

type Choosable = "mode" | "direction" | "fit" | "stage" | "taps";

const hundredths = new Intl.NumberFormat(locale, { style: "percent" });
const colourLabels = {
  brightness: t("viewPanel.brightness"),
  contrast: t("viewPanel.contrast"),
  sepia: t("viewPanel.sepia"),
} as const;

/**
 * The panel with the view options. Dispatches `choose` (detail: the changed options), `zones` (show what a tap does),
 * `keep` (use the arrangement for all of this type), `private` (detail: on or off) and `act` (detail: what the reader
 * does).
 */
@customElement("longbox-view-panel")
export class ViewPanel extends LitElement {
  @property({ attribute: false }) choices!: Choices;
  /** The type that the options of this device are kept for. */
  @property() profile = "";
  @property({ type: Boolean }) private = false;
  @property({ type: Boolean }) strip = false;

  static override styles = viewPanelStyle;

  override render() {
    const modes = offeredModes();
    const isPaired = "double" in modes && (this.choices.mode === "double" || this.choices.mode === "auto");
    return html`${this.#group(t("viewPanel.pages"), "mode", modes)} ${this.#moving()}
      ${this.strip ? nothing : this.#group(t("viewPanel.direction"), "direction", directionLabels)}
      ${this.#group(t("viewPanel.size"), "fit", fitLabels)}
      ${this.#group(t("viewPanel.background"), "stage", stageLabels)}
      <fieldset>
        <legend>${t("viewPanel.pagesAsScanned")}</legend>
        ${this.#switch("trim", t("viewPanel.cutAwayPlainBorders"))}
        ${isPaired ? this.#switch("coverAlone", t("viewPanel.coverStandsAlone")) : nothing}
        <button type="button" class="wide" @click=${() => this.#choose({ rotation: turnedOn(this.choices.rotation) })}>
          ${t("viewPanel.turnByAQuarter")}
        </button>
      </fieldset>
      ${this.#colours()} ${this.#tapping()}
      <fieldset>
        <legend>${t("viewPanel.onThisDevice")}</legend>
        <label class="switch wide"
          ><input type="checkbox" .checked=${this.private} @change=${() => this.#say("private", !this.private)} /><span
            >${rich("viewPanel.privateReadingNothingIs", { small: (inside: unknown) => html`<small>${inside}</small>` })}</span
          ></label
        >
        <button type="button" class="wide" @click=${() => this.#say("keep", undefined)}>
          ${t("viewPanel.usePagesAndSize", { profile: this.profile })}
        </button>
        <button type="button" class="wide" @click=${() => this.#say("act", "help")}>
          ${t("viewPanel.keysAndGestures")}
        </button>
      </fieldset>`;
  }

  /** What keys and two taps do, for those who find buttons. */
  #moving(): TemplateResult {
    const button = (action: ReaderAction, label: string) =>
      html`<button type="button" @click=${() => this.#say("act", action)}>${label}</button>`;
    return html`<fieldset>
      <legend>${t("viewPanel.moving")}</legend>
      ${this.strip ? nothing : button("panels", t("viewPanel.panelByPanel"))}
      ${button("auto", t("viewPanel.moveByItself"))}
    </fieldset>`;
  }

  #colours(): TemplateResult {
    const { colours } = this.choices;
    return html`<details>
      <summary>${t("viewPanel.colours")}</summary>
      ${(["brightness", "contrast", "sepia"] as const).map(
        (name) =>
          html`<label class="range"
            ><span>${colourLabels[name]}<span aria-hidden="true">${hundredths.format(colours[name] / 100)}</span></span
            ><input
              type="range"
              min=${colourRanges[name][0]}
              max=${colourRanges[name][1]}
              step="5"
              aria-label=${colourLabels[name]}
              aria-valuetext=${hundredths.format(colours[name] / 100)}
              .value=${String(colours[name])}
              @input=${(event: Event) => this.#colour({ [name]: (event.target as HTMLInputElement).valueAsNumber })}
          /></label>`,
      )}
      <label class="switch wide"
        ><input
          type="checkbox"
          .checked=${colours.invert}
          @change=${() => this.#colour({ invert: !colours.invert })}
        />${t("viewPanel.invert")}</label
      >
      <button type="button" @click=${() => this.#choose({ colours: noColours })}>${t("viewPanel.asPrinted")}</button>
    </details>`;
  }

  #tapping(): TemplateResult {
    return html`<details>
      <summary>${t("viewPanel.tappingAndMoving")}</summary>
      ${this.#group(t("viewPanel.aTapTurnsThe"), "taps", tapLabels)}
      <button type="button" @click=${() => this.#say("zones", undefined)}>${t("viewPanel.showTheAreas")}</button>
      <label class="range"
        >${t("viewPanel.speedWhenPagesMove")}<input
          type="range"
          min="1"
          max=${fastest}
          .value=${String(this.choices.speed)}
          @input=${(event: Event) => this.#choose({ speed: (event.target as HTMLInputElement).valueAsNumber })}
      /></label>
    </details>`;
  }

  #group(legend: string, name: Choosable, labels: Readonly<Record<string, string>>): TemplateResult {
    const chosen = name === "mode" ? chosenOf(this.choices.mode) : this.choices[name];
    return html`<fieldset>
      <legend>${legend}</legend>
      ${Object.entries(labels).map(
        ([value, label]) =>
          html`<label
            ><input
              type="radio"
              name=${name}
              value=${value}
              .checked=${chosen === value}
              @change=${() => this.#choose({ [name]: value })}
            />${label}</label
          >`,
      )}
    </fieldset>`;
  }

  #switch(name: "trim" | "coverAlone", label: string): TemplateResult {
    return html`<label class="switch wide"
      ><input
        type="checkbox"
        .checked=${this.choices[name]}
        @change=${() => this.#choose({ [name]: !this.choices[name] })}
      />${label}</label
    >`;
  }

  #colour(change: Partial<Colours>): void {
    this.#choose({ colours: { ...this.choices.colours, ...change } });
  }

  #choose(change: Partial<Choices>): void {
    this.#say("choose", change);
  }

  #say(name: string, detail: unknown): void {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}
