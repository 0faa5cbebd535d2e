import { covers, dialogs, icon, notice, notices, rich, t, trouble } from "@longbox/sdk/ui";
import { html, LitElement, nothing } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import type { Shell } from "../shell/shell.js";
import { base, buttons, type } from "../styles/index.js";
import { Asked } from "./asking.js";
import { panelStyle } from "./panel-style.js";
import { findPlaces } from "./places.js";
import { resultLine, resultStyle } from "./result-line.js";
import { groupsOf, inOrder, type Result, type ResultGroup } from "./results.js";

const ofEachGroup = 5;

/** Finds anything from any page: a field, and a list below it that the arrow keys walk through. */
@customElement("lb-find-panel")
export class FindPanel extends LitElement {
  @property({ attribute: false }) longbox!: Shell;
  @property({ attribute: false }) showKeys: () => void = () => undefined;
  @query("dialog") private dialog!: HTMLDialogElement;
  @query("input") private field!: HTMLInputElement;
  @state() private text = "";
  @state() private active = 0;
  @state() private isOpen = false;
  readonly #asked = new Asked(this, ofEachGroup);

  static override styles = [base, type, buttons, dialogs, covers, notices, resultStyle, panelStyle];

  /**
   * Opens with what was typed last, selected, so that the next key replaces it.
   * @param ahead - what was typed until now, in its place
   */
  async open(ahead: { readonly text: string }): Promise<void> {
    this.isOpen = true;
    await this.updateComplete;
    if (!this.dialog.open) this.dialog.showModal();
    this.field.focus();
    this.field.select();
    if (ahead.text === "") return;
    this.field.value = ahead.text;
    this.#input();
  }

  override render() {
    return html`<dialog
      class="finding"
      aria-label=${t("findPanel.search")}
      @close=${this.#closed}
      @click=${this.#clickedBeside}
    >
      ${this.isOpen ? this.#content() : nothing}
    </dialog>`;
  }

  #content() {
    const groups = this.#groups();
    const results = groups.flatMap((group) => group.results);
    const rest = this.text.trim() === "" || !this.#asked.answer?.items.length ? [] : [this.#all()];
    const options = [...results, ...rest];
    const active = Math.min(this.active, Math.max(0, options.length - 1));
    return html`${this.#typed(options, active)}
      <div class="found" aria-busy=${this.#asked.isWaiting ? "true" : "false"}>
        <div id="results" role="listbox" aria-label=${t("findPanel.results")}>
          ${this.#listed(groups, active)} ${rest.map((all) => this.#option(all, results.length, active))}
        </div>
        ${this.#state(results)}
      </div>
      <div class="foot">
        <span role="status">${this.#says(results)}</span>
        <span class="keys" aria-hidden="true"
          >${rich("findPanel.chooseEnterOpenEsc", { key: (inside: unknown) => html`<kbd>${inside}</kbd>` })}</span
        >
      </div>`;
  }

  #typed(options: readonly Result[], active: number) {
    return html`<form
      class="typed"
      role="search"
      aria-label=${t("findPanel.everything")}
      @submit=${(event: Event) => this.#submit(event, options[active])}
    >
      ${icon("search")}
      <input
        type="text"
        role="combobox"
        aria-label=${t("findPanel.searchEverything")}
        aria-controls="results"
        aria-expanded=${options.length > 0 ? "true" : "false"}
        aria-autocomplete="list"
        aria-activedescendant=${options.length > 0 ? `option-${active}` : nothing}
        placeholder=${t("findPanel.titlesPeoplePages12")}
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        enterkeyhint="go"
        maxlength="200"
        .value=${this.text}
        @input=${this.#input}
        @keydown=${(event: KeyboardEvent) => this.#key(event, options.length, active)}
      />
      <button
        type="button"
        class="quiet round"
        aria-label=${t("findPanel.close")}
        title=${t("findPanel.close")}
        @click=${() => this.dialog.close()}
      >
        ${icon("close")}
      </button>
    </form>`;
  }

  #listed(groups: readonly ResultGroup[], active: number) {
    let place = 0;
    return groups.map(
      (group) =>
        html`<div role="group" aria-label=${group.label}>
          <span class="label" aria-hidden="true">${group.label}</span>
          ${group.results.map((result) => this.#option(result, place++, active))}
        </div>`,
    );
  }

  #option(result: Result, place: number, active: number) {
    const select = () => (this.active = place);
    const is = place === active ? "true" : "false";
    if (result.href === undefined)
      return html`<div
        class="result"
        role="option"
        id="option-${place}"
        aria-selected=${is}
        @pointermove=${select}
        @click=${() => this.#choose(result)}
      >
        ${resultLine(result)}
      </div>`;
    return html`<a
      class="result"
      role="option"
      tabindex="-1"
      id="option-${place}"
      aria-selected=${is}
      href=${result.href}
      @pointermove=${select}
      @click=${this.#followed}
      >${resultLine(result)}</a
    >`;
  }

  #state(results: readonly Result[]) {
    const { error, isWaiting, answer } = this.#asked;
    if (error !== undefined) return trouble(error, () => this.#asked.again());
    if (isWaiting || results.length > 0 || answer === undefined) return nothing;
    return notice({
      drawing: "search",
      heading: t("findPanel.nothingFound"),
      text: t("findPanel.tryFewerLettersAnother"),
    });
  }

  #says(results: readonly Result[]): string {
    const { isWaiting, answer, error } = this.#asked;
    if (this.text.trim() === "") return "";
    if (isWaiting) return t("findPanel.searching");
    if (error !== undefined) return t("findPanel.theSearchDidNot");
    const found =
      results.length === 0 ? t("findPanel.nothingFound") : t("findPanel.results2", { results: results.length });
    return answer?.partial ? t("findPanel.aPluginDidNot", { found }) : found;
  }

  #groups(): ResultGroup[] {
    const { answer } = this.#asked;
    const places = findPlaces(this.longbox, this.text, () => this.showKeys());
    return inOrder([...(answer ? groupsOf(answer, (text) => this.longbox.said(text)) : []), ...places]);
  }

  #all(): Result {
    const query = new URLSearchParams({ q: this.text.trim() });
    return {
      title: t("findPanel.seeAllResultsFor", { text: this.text.trim() }),
      href: `/search?${query}`,
      icon: "next",
      score: 0,
    };
  }

  #input(): void {
    this.text = this.field.value;
    this.active = 0;
    this.#asked.type(this.text);
  }

  #key(event: KeyboardEvent, options: number, active: number): void {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || options === 0) return;
    event.preventDefault();
    this.active = (active + step + options) % options;
    void this.updateComplete.then(() =>
      this.renderRoot.querySelector(`#option-${this.active}`)?.scrollIntoView({ block: "nearest" }),
    );
  }

  #submit(event: Event, result: Result | undefined): void {
    event.preventDefault();
    if (result) this.#choose(result);
  }

  #choose({ href, run }: Result): void {
    this.dialog.close();
    if (href !== undefined) this.longbox.navigate(href);
    run?.();
  }

  /** The router follows the link; a tab that is opened beside leaves the panel as it is. */
  readonly #followed = (event: MouseEvent): void => {
    if (!event.metaKey && !event.ctrlKey && !event.shiftKey && event.button === 0) this.dialog.close();
  };

  readonly #clickedBeside = (event: Event): void => {
    if (event.target === this.dialog && event.composedPath()[0] === this.dialog) this.dialog.close();
  };

  #closed(): void {
    this.isOpen = false;
  }
}
