import { base, element, fields, styled, t } from "@longbox/sdk/ui";
import { css, html, LitElement, nothing } from "lit";
import { live } from "lit/directives/live.js";
import { backSeconds, forwardSeconds } from "../player/media-keys.js";
import { clock } from "../player/timeline.js";
import { playerStyles } from "./player-styles.js";

/** What an arrow key moves by, in seconds. */
const steps: Readonly<Record<string, number>> = {
  ArrowLeft: -backSeconds,
  ArrowDown: -backSeconds,
  ArrowRight: forwardSeconds,
  ArrowUp: forwardSeconds,
};

/**
 * A slider over a part of the timeline of a book, or over all of it. It stays under the pointer while it is moved, says
 * which time that is, and tells the place with the event `seek` when it is let go. Time runs from left to right, as in
 * other players, whatever the language is. Times in seconds of the timeline.
 */
@element("audiobooks-position")
export class PositionSlider extends LitElement {
  static override properties = {
    label: {},
    begin: { type: Number },
    end: { type: Number },
    position: { type: Number },
    moved: { state: true },
  };
  static override styles = [
    base,
    fields,
    playerStyles,
    css`
      :host {
        position: relative;
        display: block;
      }
      .slider {
        display: block;
        width: 100%;
      }
      .moved {
        position: absolute;
        bottom: calc(100% + var(--lb-space-1));
        left: clamp(2rem, var(--at), calc(100% - 2rem));
        z-index: 1;
        padding: var(--lb-space-1) var(--lb-space-2);
        border-radius: var(--lb-radius-s);
        background: var(--lb-ink);
        color: var(--lb-page);
        transform: translateX(-50%);
        pointer-events: none;
      }
    `,
  ];
  declare label: string;
  declare begin: number;
  declare end: number;
  declare position: number;
  /** Where the pointer holds it. */
  declare moved: number | undefined;

  constructor() {
    super();
    [this.label, this.begin, this.end, this.position] = [t("positionSlider.position"), 0, 0, 0];
  }

  override render() {
    const length = Math.max(0, this.end - this.begin);
    const within = Math.min(length, Math.max(0, (this.moved ?? this.position) - this.begin));
    return html`<input
        type="range"
        dir="ltr"
        class="slider"
        min="0"
        max=${length}
        step="1"
        aria-label=${this.label}
        aria-valuetext=${t("positionSlider.of", { within: clock(within), length: clock(length) })}
        .value=${live(String(Math.floor(within)))}
        @input=${(event: Event) => (this.moved = this.#placeOf(event))}
        @change=${(event: Event) => this.#seek(this.#placeOf(event))}
        @keydown=${(event: KeyboardEvent) => this.#onKey(event)}
      />${
        this.moved === undefined
          ? nothing
          : html`<output class="moved time" ${styled({ "--at": `${(within / length) * 100}%` })}
              >${clock(within)}</output
            >`
      }`;
  }

  #placeOf(event: Event): number {
    return this.begin + (event.target as HTMLInputElement).valueAsNumber;
  }

  #onKey(event: KeyboardEvent): void {
    const step = steps[event.key];
    if (step === undefined || event.shiftKey) return;
    event.preventDefault();
    this.#seek(this.position + step);
  }

  #seek(position: number): void {
    this.moved = undefined;
    this.dispatchEvent(new CustomEvent<number>("seek", { detail: position }));
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "audiobooks-position": PositionSlider;
  }
}
