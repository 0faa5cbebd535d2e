import { html, type CSSResultGroup, type PropertyValues, type TemplateResult } from "lit";
import { pathOf } from "./addresses/base-path.js";
import { LongboxElement } from "./longbox-element.js";
import { base } from "./styles/base.js";
import { headings } from "./styles/headings.js";
import { pageFrame } from "./styles/page-frame.js";
import { tabs } from "./styles/tabs.js";
import { t } from "./language/translate.js";

/** One part of a page, at an address of its own: `/operations/jobs`. */
export interface Section {
  readonly name: string;
  readonly title: string;
  /** Users without this permission do not see the section. */
  readonly permission?: string;
  readonly show: () => TemplateResult;
}

/**
 * A page that is made of sections with a row of tabs. In the manifest it stands at `path` and at `path/:section`.
 *
 * @example
 * @element("shelves-page")
 * export class ShelvesPage extends SectionedPage {
 *   protected readonly heading = "Shelves";
 *   protected readonly path = "/shelves";
 *   protected readonly sections = [{ name: "all", title: "All", show: () =>
 * html`<shelves-all .longbox=${this.longbox}></shelves-all>` }]; }
 */
export abstract class SectionedPage extends LongboxElement<{ readonly section?: string }> {
  static override styles: CSSResultGroup = [base, headings, pageFrame, tabs];

  /** The tab that is open. */
  #shown: Element | null = null;

  protected abstract readonly heading: string;
  protected abstract readonly path: string;
  protected abstract readonly sections: readonly Section[];

  override render(): TemplateResult {
    const allowed = this.sections.filter(({ permission }) => permission === undefined || this.longbox.may(permission));
    const here = allowed.find(({ name }) => name === this.subject.section) ?? allowed[0];
    return html`
      <div class="page-head"><h1>${this.heading}</h1></div>
      <nav class="tabs" aria-label=${this.heading}>
        ${allowed.map((section) => html`<a href="${this.path}/${section.name}" aria-current=${section === here ? "page" : "false"} @click=${this.#go}>${section.title}</a>`)}
      </nav>
      <div class="section">
        ${here ? here.show() : html`<p class="soft">${t(["kit:nothingForRole", "There is nothing here that your role may see."])}</p>`}
      </div>
    `;
  }

  /**
   * On a narrow window the tabs scroll: the one that was opened is in sight, and they stay where the user moves them.
   */
  override updated(_changed: PropertyValues): void {
    const open = this.renderRoot.querySelector('[aria-current="page"]');
    if (open === this.#shown) return;
    this.#shown = open;
    open?.scrollIntoView({ block: "nearest", inline: "center" });
  }

  /** Tabs of one page are one entry of the history. New tabs and windows are left to the browser. */
  readonly #go = (event: MouseEvent): void => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    this.longbox.navigate(pathOf((event.currentTarget as HTMLAnchorElement).href), { replace: true });
  };
}
