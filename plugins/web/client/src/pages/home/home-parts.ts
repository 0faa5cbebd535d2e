import { buttons, fields, icon, LongboxElement, t, toggle } from "@longbox/sdk/ui";
import { css, html, type TemplateResult } from "lit";
import { customElement, property } from "lit/decorators.js";
import { moved, type Arrangement } from "../../shell/arrangement.js";
import { keyOf, type SlotEntry } from "../../shell/contributions.js";
import { page } from "../../styles/index.js";

/** The parts of the home page, to be put in another order or hidden. Dispatches `arranged` with the new arrangement. */
@customElement("lb-home-parts")
export class HomeParts extends LongboxElement {
  static override styles = [
    page,
    buttons,
    fields,
    css`
      :host {
        display: block;
        padding: 0;
      }
      ol {
        display: grid;
        gap: var(--lb-space-2);
        margin: 0;
        padding: 0;
        list-style: none;
      }
      li {
        display: flex;
        align-items: center;
        gap: var(--lb-space-2);
        padding: var(--lb-space-1) 0;
        border-bottom: 1px solid var(--lb-line);
      }
      li > :first-child {
        flex: 1;
        min-width: 0;
      }
      .up .icon {
        transform: rotate(180deg);
      }
    `,
  ];

  /** All parts that have a name, in the present order. */
  @property({ attribute: false }) entries: readonly SlotEntry[] = [];
  @property({ attribute: false }) arrangement: Arrangement = { order: [], hidden: [] };

  override render(): TemplateResult {
    return html`<ol>
      ${this.entries.map((entry, index) => this.#part(entry, index))}
    </ol>`;
  }

  #part(entry: SlotEntry, index: number): TemplateResult {
    const key = keyOf(entry);
    const { title = entry.element } = entry;
    const { hidden } = this.arrangement;
    const show = (isShown: boolean) =>
      this.#tell({ hidden: isShown ? hidden.filter((other) => other !== key) : [...hidden, key] });
    return html`<li>
      ${toggle(title, !hidden.includes(key), show)}
      <button
        type="button"
        class="quiet round up"
        aria-label=${t("homeParts.moveUp", { title })}
        ?disabled=${index === 0}
        @click=${() => this.#move(key, -1)}
      >
        ${icon("down")}
      </button>
      <button
        type="button"
        class="quiet round"
        aria-label=${t("homeParts.moveDown", { title })}
        ?disabled=${index === this.entries.length - 1}
        @click=${() => this.#move(key, 1)}
      >
        ${icon("down")}
      </button>
    </li>`;
  }

  #move(key: string, step: 1 | -1): void {
    this.#tell({ order: moved(this.entries.map(keyOf), key, step) });
  }

  #tell(change: Partial<Arrangement>): void {
    const detail = { ...this.arrangement, ...change };
    this.dispatchEvent(new CustomEvent<Arrangement>("arranged", { detail }));
  }
}
