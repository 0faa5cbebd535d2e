import type { TextBook, TextBookPart } from "@longbox/example-text-books/api";
import {
  Action,
  element,
  icon,
  LongboxElement,
  notices,
  pageFrame,
  pageStates,
  wholePageStates,
  percent,
  Resource,
  standard,
  t,
} from "@longbox/sdk/ui";
import { css, html, nothing } from "lit";

/** `/text-books/:cvIssueId`: one part of a book after the other. */
@element("text-books-page")
export class TextBooksPage extends LongboxElement<{ cvIssueId?: string }> {
  static override properties = { shown: { state: true } };
  static override styles = [
    standard,
    pageFrame,
    notices,
    css`
      :host {
        max-width: 44rem;
        margin-inline: auto;
      }
      .text {
        margin-block: var(--lb-space-5);
        font:
          1.125rem/1.65 Georgia,
          "Times New Roman",
          serif;
        white-space: pre-wrap;
        overflow-wrap: anywhere;
      }
    `,
  ];

  /** The part that is shown, counted from 0; undefined until the book says where the reader is. */
  declare shown: number | undefined;
  readonly #keeping = new Action(this);
  readonly #book = new Resource<TextBook>(this, {
    path: () => this.#path,
    arrived: (book) => (this.shown ??= book.completed ? 0 : book.part),
  });
  readonly #text = new Resource<TextBookPart>(this, {
    path: () => (this.shown === undefined ? undefined : `${this.#path}/parts/${this.shown}`),
  });

  get #path(): string {
    return `/api/text-books/${encodeURIComponent(this.subject.cvIssueId ?? "")}`;
  }

  override render() {
    return this.#book.render((book) => this.#show(book), wholePageStates);
  }

  #show({ title, within, parts, cvIssueId }: TextBook) {
    const part = this.shown ?? 0;
    return html`<div class="page-head">
        <div>
          <h1>${title}</h1>
          ${within === null ? nothing : html`<p class="label">${within}</p>`}
        </div>
        <a class="button" href="/issue/${cvIssueId}">${icon("back")}${t("page.aboutThisBook")}</a>
      </div>
      <article aria-label=${t("page.text")} tabindex="-1">
        ${this.#text.render(({ text }) => html`<div class="text">${text}</div>`, pageStates)}
      </article>
      ${this.#keeping.problem ? html`<p class="problem" role="alert">${this.#keeping.problem}</p>` : nothing}
      <nav class="row spread" aria-label=${t("page.partsOfTheBook")}>
        <button ?disabled=${part === 0} @click=${() => this.#turn(part - 1)}>${icon("back")}${t("page.back")}</button>
        <span class="label">${t("page.partOf", { percent: percent(part, parts), part: part + 1, parts })}</span>
        ${
          part < parts - 1
            ? html`<button class="primary" @click=${() => this.#turn(part + 1)}>
                ${t("page.next")}${icon("next")}
              </button>`
            : html`<button class="primary" @click=${() => this.#finish(cvIssueId)}>
                ${t("page.finish")}${icon("check")}
              </button>`
        }
      </nav>`;
  }

  async #turn(part: number): Promise<void> {
    this.shown = part;
    void this.#keep({ part });
    await this.updateComplete;
    this.scrollIntoView();
    this.renderRoot.querySelector("article")?.focus({ preventScroll: true });
  }

  async #finish(cvIssueId: number): Promise<void> {
    if (await this.#keep({ part: this.shown ?? 0, finished: true })) this.longbox.navigate(`/issue/${cvIssueId}`);
  }

  #keep(place: { part: number; finished?: boolean }): Promise<boolean> {
    return this.#keeping.run(() => this.post(`${this.#path}/place`, place));
  }
}
