import { element, icon, LongboxElement, number, Resource, standard, t, valueOf } from "@longbox/sdk/ui";
import type { FacetList, FacetValue } from "@longbox/shelves/api";
import { css, html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import type { Address } from "./address.js";
import { wordedFacet } from "./facet-words.js";

type Facet = FacetList[number];

/** How many values are shown at first, and when a facet is opened. */
const few = 6;
const many = 100;

/** One facet: its values with counts, of which several can be chosen or left out. */
@element("shelves-facet")
export class ShelvesFacet extends LongboxElement {
  static override properties: PropertyDeclarations = {
    ...LongboxElement.properties,
    facet: { attribute: false },
    address: { attribute: false },
    isCounted: { attribute: false },
  };
  static override styles = [
    standard,
    css`
      :host {
        border-bottom: 1px solid var(--lb-line);
        padding-block: var(--lb-space-3);
      }
      h2 {
        margin-bottom: var(--lb-space-1);
        font-size: var(--lb-text-s);
      }
      ul {
        list-style: none;
        margin: 0;
        padding: 0;
      }
      ul.all {
        max-height: 20rem;
        overflow-y: auto;
      }
      li {
        display: grid;
        grid-template-columns: minmax(0, 1fr) auto auto;
        align-items: center;
        gap: var(--lb-space-2);
        min-height: 2rem;
      }
      label {
        display: flex;
        align-items: center;
        gap: var(--lb-space-2);
        min-width: 0;
        font-weight: 400;
        overflow-wrap: anywhere;
        cursor: pointer;
      }
      input[type="checkbox"] {
        flex: none;
      }
      .n {
        color: var(--lb-ink-soft);
        font: 400 var(--lb-text-xs) var(--lb-font-mono);
      }
      .excluded label {
        text-decoration: line-through;
        color: var(--lb-ink-soft);
      }
      .leave {
        min-width: 2rem;
        min-height: 2rem;
        padding: 0;
        opacity: 0.55;
      }
      .leave:hover,
      .leave:focus-visible,
      .leave[aria-pressed="true"] {
        opacity: 1;
      }
      .leave .icon {
        width: 0.85em;
      }
      .more {
        min-height: 2rem;
        padding-inline: 0;
      }
    `,
  ];
  declare facet: Facet;
  declare address: Address;
  /** Whether the number of items is shown beside each value; by default it is. */
  declare isCounted: boolean | undefined;
  @state() private isWhole = false;
  @state() private find = "";
  readonly #whole = new Resource<FacetList>(this, {
    path: () => (this.isWhole ? `/api/shelves/facet-list?${this.#query()}` : undefined),
    domains: ["shelves"],
    keep: true,
  });

  override render(): TemplateResult {
    const { name, label, values } = wordedFacet(this.facet);
    const found = this.isWhole ? this.#whole.value?.find((facet) => facet.name === name) : undefined;
    const whole = found && wordedFacet(found).values;
    const shown = whole ?? values.slice(0, Math.max(few, values.filter(isChosen).length));
    return html`<section aria-label=${label}>
      <h2>${label}</h2>
      ${this.isWhole ? this.#finder() : nothing}
      <ul class=${this.isWhole ? "all" : ""}>
        ${shown.map((value) => this.#value(value))}
      </ul>
      ${shown.length === 0 ? html`<p class="soft">${t("facet.nothingFits")}</p>` : nothing}
      ${values.length > few || this.isWhole ? this.#more() : nothing}
    </section>`;
  }

  #value(value: FacetValue): TemplateResult {
    const { label, count, selected, excluded } = value;
    return html`<li class=${excluded ? "excluded" : ""}>
      <label
        ><input
          type="checkbox"
          .checked=${selected}
          @change=${() => this.#choose(value, selected ? "free" : "chosen")}
        /><span>${label}</span></label
      >
      <span class="n">${this.isCounted === false ? nothing : number(count)}</span>
      <button
        type="button"
        class="quiet leave"
        aria-pressed=${excluded}
        aria-label=${t("facet.leaveOut", { label })}
        title=${t("facet.leaveOut2")}
        @click=${() => this.#choose(value, excluded ? "free" : "excluded")}
      >
        ${icon("close")}
      </button>
    </li>`;
  }

  #finder(): TemplateResult {
    return html`<label
      ><span class="hidden">${t("facet.findIn", { label: wordedFacet(this.facet).label })}</span>
      <input
        type="search"
        maxlength="100"
        autocomplete="off"
        placeholder=${t("facet.find")}
        .value=${this.find}
        @input=${(event: Event) => (this.find = valueOf(event).trim())}
    /></label>`;
  }

  #more(): TemplateResult {
    const toggle = () => {
      this.isWhole = !this.isWhole;
      this.find = "";
    };
    return html`<button type="button" class="quiet more" aria-expanded=${this.isWhole} @click=${toggle}>
      ${this.isWhole ? t("facet.fewer") : t("facet.more")}<span class="hidden">
        ${t("facet.of", { label: wordedFacet(this.facet).label })}</span
      >
    </button>`;
  }

  #choose({ value }: FacetValue, how: "chosen" | "excluded" | "free"): void {
    this.longbox.navigate(this.address.with(this.facet.name, value, how).href);
  }

  #query(): string {
    const parameters = new URLSearchParams(this.address.selection);
    parameters.set("facet", this.facet.name);
    parameters.set("limit", String(many));
    if (this.find !== "") parameters.set("find", this.find);
    return parameters.toString();
  }
}

const isChosen = ({ selected, excluded }: FacetValue): boolean => selected || excluded;
