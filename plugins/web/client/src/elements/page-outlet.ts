import type { ContributedElement } from "@longbox/sdk/client";
import { messageOf, t } from "@longbox/sdk/ui";
import { html, LitElement, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { Watch } from "../shell/observable.js";
import type { PageDefinition } from "../shell/routing/page-table.js";
import { gate } from "../shell/routing/gate.js";
import { pages } from "../shell/routing/own-pages.js";
import { asNotLoaded } from "../shell/loading.js";
import type { Shell } from "../shell/shell.js";
import "./unreachable.js";

type Mounted = HTMLElement & ContributedElement;

/** Shows the page of the current address once its element is defined, moves the focus and sets the document title. */
@customElement("lb-page-outlet")
export class PageOutlet extends LitElement {
  @property({ attribute: false }) longbox!: Shell;
  @state() private failure: string | undefined;
  #shown: { readonly page: PageDefinition; readonly at: string; readonly element: Mounted } | undefined;
  #loading: PageDefinition | undefined;
  #first = true;
  #wasAway = false;

  constructor() {
    super();
    new Watch(this, () => [
      this.longbox.session.state,
      this.longbox.router.match,
      this.longbox.contributions.parts,
      this.longbox.changes.connection.reach,
    ]);
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override willUpdate(): void {
    this.#reloadOnceBack();
    const match = this.longbox.router.match.value;
    const page = gate(this.longbox.session, match);
    // The page of a plugin is unknown until the server has said which plugins run.
    if (!page || (page === pages.notFound && !this.longbox.contributions.isListed)) return this.#clear();
    if (this.#shown && this.#stays(this.#shown, page)) {
      // Another page may still be loading for an address that the user has left, or could not be loaded.
      this.#loading = undefined;
      this.failure = undefined;
      this.#shown.element.subject = match.params;
      return;
    }
    if (this.#loading === page) return;
    this.#loading = page;
    this.failure = undefined;
    void this.#load(page);
  }

  override render() {
    const state = this.longbox.session.state.value;
    if (state.kind === "unreachable")
      return html`<lb-unreachable
        .message=${state.message}
        .retry=${() => void this.longbox.session.refresh()}
      ></lb-unreachable>`;
    if (this.failure !== undefined)
      return html`<lb-unreachable
        heading=${t("pageOutlet.thePageCouldNot")}
        label=${t("pageOutlet.reload")}
        .message=${this.failure}
        .retry=${() => location.reload()}
      ></lb-unreachable>`;
    return this.#shown?.element ?? nothing;
  }

  /** What is open of a plugin that was updated stays until the user goes elsewhere. */
  #stays({ page: shown, at }: { readonly page: PageDefinition; readonly at: string }, page: PageDefinition): boolean {
    if (shown.element !== page.element || shown.plugin !== page.plugin) return false;
    return shown.code === page.code || at === this.longbox.router.match.value.url.pathname;
  }

  /** A page that could not be loaded because the server was away comes once it is back. */
  #reloadOnceBack(): void {
    const isAway = this.longbox.changes.connection.reach.value !== "here";
    if (this.failure !== undefined && this.#wasAway && !isAway) location.reload();
    this.#wasAway = isAway;
  }

  async #load(page: PageDefinition): Promise<void> {
    try {
      await page.load();
    } catch (thrown) {
      console.warn(thrown);
      if (this.#loading === page) this.failure = messageOf(asNotLoaded(thrown, t("pageOutlet.thisPage")));
      return;
    }
    if (this.#loading !== page) return;
    this.#loading = undefined;
    this.#show(page);
  }

  #show(page: PageDefinition): void {
    const element = document.createElement(page.element) as Mounted;
    element.longbox = page.plugin ? this.longbox.forPlugins : this.longbox;
    element.subject = this.longbox.router.match.value.params;
    this.#shown = { page, at: this.longbox.router.match.value.url.pathname, element };
    this.longbox.titled(page.title);
    this.requestUpdate();
    if (this.#first) this.#first = false;
    else void this.updateComplete.then(() => this.#focusPage());
  }

  /**
   * As with a new document, the next Tab starts at the top of the page, and screen readers announce it. A page that
   * has taken the focus keeps it, and so does the search box while it is being used.
   */
  #focusPage(): void {
    const focused = focusedElement();
    if (focused instanceof HTMLInputElement || this.contains(document.activeElement)) return;
    this.closest("main")?.focus({ preventScroll: true });
  }

  #clear(): void {
    this.#shown = undefined;
    this.#loading = undefined;
  }
}

function focusedElement(): Element | null {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused;
}
