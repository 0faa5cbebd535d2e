import { css, html, LitElement, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { coverAddress } from "../shell/cover-address.js";
import { base } from "../styles/index.js";

const widths = [160, 320, 480, 640] as const;
const inks = 6;
/** A cover may come after the series: while a scan runs, it is asked for again. */
const retriesMs = [4000, 12_000, 40_000];

/** A cover, or, where there is none, a plain sleeve with the title on it. */
@customElement("lb-cover")
export class Cover extends LitElement {
  /** The address on this server, without a width. */
  @property({ attribute: false }) path: string | null | undefined;
  @property() override title = "";
  @property() number = "";
  /** How wide it is shown, as in the `sizes` of an image. */
  @property() sizes = "160px";
  @property({ type: Boolean }) eager = false;
  /** Nothing is owned: the sleeve is empty. */
  @property({ type: Boolean, reflect: true }) missing = false;
  @state() private failed = false;
  #tried = 0;
  #retry: number | undefined;

  static override styles = [
    base,
    css`
      :host {
        display: block;
        position: relative;
        aspect-ratio: 2 / 3;
        overflow: hidden;
        border-radius: var(--lb-radius-s);
        background: var(--lb-line);
        box-shadow: var(--lb-shadow-1);
      }
      /* The fold of the spine, and the edge of the paper. */
      :host::after {
        content: "";
        position: absolute;
        inset: 0;
        border-radius: inherit;
        pointer-events: none;
        background: linear-gradient(90deg, rgb(0 0 0 / 0.16), rgb(255 255 255 / 0.16) 1.5%, transparent 4%);
        box-shadow: inset 0 0 0 1px rgb(0 0 0 / 0.12);
      }
      img {
        width: 100%;
        height: 100%;
        object-fit: cover;
      }
      :host([missing]) img {
        filter: grayscale(1);
        opacity: 0.45;
      }
      .sleeve {
        display: grid;
        grid-template-rows: auto 1fr auto;
        width: 100%;
        height: 100%;
        padding: 9% 9% 8%;
        border-top: 0.5rem solid var(--band);
        background: color-mix(in oklab, var(--band) 14%, var(--lb-raised));
        color: var(--lb-ink);
        container-type: inline-size;
      }
      .sleeve strong {
        display: -webkit-box;
        overflow: hidden;
        font: 700 clamp(0.8rem, 13cqw, 2rem) / 1.05 var(--lb-font-display);
        -webkit-box-orient: vertical;
        -webkit-line-clamp: 5;
        overflow-wrap: anywhere;
      }
      .sleeve span {
        grid-row: 3;
        font: 600 clamp(0.7rem, 9cqw, 1.25rem) / 1 var(--lb-font-mono);
      }
      .ink-0 {
        --band: #2a3cc9;
      }
      .ink-1 {
        --band: #c2412b;
      }
      .ink-2 {
        --band: #1b7a5a;
      }
      .ink-3 {
        --band: #d09a12;
      }
      .ink-4 {
        --band: #8a3fa0;
      }
      .ink-5 {
        --band: #1f7fa6;
      }
    `,
  ];

  override willUpdate(changed: Map<string, unknown>): void {
    if (!changed.has("path")) return;
    this.failed = false;
    this.#tried = 0;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearTimeout(this.#retry);
  }

  override render() {
    if (!this.path || this.failed) return this.#sleeve();
    const path = this.path;
    return html`<img
      alt=""
      sizes=${this.sizes}
      srcset=${widths.map((width) => `${coverAddress(path, width)} ${width}w`).join(", ")}
      src=${coverAddress(path, 320)}
      loading=${this.eager ? "eager" : "lazy"}
      decoding="async"
      @error=${this.#missed}
    />`;
  }

  #missed(): void {
    this.failed = true;
    const wait = retriesMs[this.#tried];
    if (wait === undefined || !this.isConnected) return;
    this.#tried += 1;
    this.#retry = window.setTimeout(() => (this.failed = false), wait);
  }

  #sleeve() {
    return html`<div class="sleeve ink-${inkOf(this.title)}" aria-hidden="true">
      <strong>${this.title}</strong>
      ${this.number ? html`<span>${this.number}</span>` : nothing}
    </div>`;
  }
}

/** The same title is always printed in the same ink. */
function inkOf(title: string): number {
  let sum = 0;
  for (const character of title) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 997;
  return sum % inks;
}
