import type { ReviewedBook, WorkRow } from "@longbox/open-library/api";
import { Action, element, LongboxElement, problem, rich, submitted, t, waiting } from "@longbox/sdk/ui";
import { css, html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import { style } from "./style.js";
import { bookFacts, byAuthors } from "./wording.js";
import "./works.js";

interface MatchSubject {
  readonly items?: ReadonlyArray<{ readonly cvIssueId?: number }>;
}

/** The dialog that finds the work of a book: automatically where it is certain, otherwise by the user's choice. */
@element("open-library-match")
export class OpenLibraryMatch extends LongboxElement<MatchSubject> {
  @state() private book: ReviewedBook | undefined;
  @state() private found: readonly WorkRow[] | undefined;
  readonly #action = new Action(this);

  static override styles = [
    style,
    css`
      :host {
        display: grid;
        gap: var(--lb-space-4);
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#action.run(async () => {
      this.book = await this.longbox.api<ReviewedBook>(this.#path);
      if (this.book.state === "new" || this.book.state === "unknown") await this.#decide({});
    });
  }

  get #path(): string {
    return `/api/open-library/books/${Number(this.subject.items?.[0]?.cvIssueId)}`;
  }

  override render(): TemplateResult {
    const { book } = this;
    const { problem: wrong, busy } = this.#action;
    if (!book) return wrong === undefined ? waiting() : html`${problem(wrong)}`;
    const works = this.found ?? book.candidates;
    return html`<p class="facts">${[byAuthors(book.authors), bookFacts(book)].filter(Boolean).join(" · ")}</p>
      ${book.state === "matched" ? this.#current(book, busy) : nothing} ${this.#searchForm(book, busy)}
      <div role="status" aria-live="polite">
        ${wrong === undefined ? (works.length === 0 && !busy && book.state !== "matched" ? html`<p class="soft">${t("match.nothingWasFoundTry")}</p>` : nothing) : problem(wrong)}
      </div>
      <open-library-works
        .longbox=${this.longbox}
        .works=${works}
        ?busy=${busy}
        @choose=${(event: CustomEvent<WorkRow>) => this.#action.run(() => this.#decide({ workId: event.detail.workId }))}
      ></open-library-works>`;
  }

  #current(book: ReviewedBook, busy: boolean): TemplateResult {
    return html`<div class="row">
      <p>
        ${rich("match.matchedWith", { link: (inside: unknown) => html`<a href="https://openlibrary.org/works/${book.workId}" rel="noreferrer">${inside}</a>`, workId: book.workId, reasons: book.reasons.map((reason) => this.longbox.said(reason)).join(", ") })}
      </p>
      <button ?disabled=${busy} @click=${() => this.#action.run(() => this.#remove())}>
        ${t("match.removeTheMatch")}
      </button>
    </div>`;
  }

  #searchForm(book: ReviewedBook, busy: boolean): TemplateResult {
    return html`<form class="search" role="search" @submit=${this.#search}>
      <label class="field"
        >${t("match.anotherTitleAnIsbn")}<input
          name="q"
          type="search"
          autocomplete="off"
          maxlength="300"
          required
          .value=${[book.title, book.authors[0]].filter(Boolean).join(" ")}
      /></label>
      <button ?disabled=${busy}>${t("match.search")}</button>
    </form>`;
  }

  readonly #search = (event: SubmitEvent): void => {
    const { q = "" } = submitted(event);
    void this.#action.run(async () => {
      this.found = await this.longbox.api<WorkRow[]>(`/api/open-library/search?${new URLSearchParams({ q })}`);
    });
  };

  async #decide(choice: { readonly workId?: string }): Promise<void> {
    const book = await this.post<ReviewedBook>(`${this.#path}/match`, choice);
    this.book = book;
    if (book.state !== "matched") return;
    this.longbox.notify(
      t("match.wasMatched", {
        title: book.title,
        reasons: book.reasons.map((reason) => this.longbox.said(reason)).join(", "),
      }),
      {
        level: "success",
      },
    );
    this.dispatchEvent(new Event("done"));
  }

  async #remove(): Promise<void> {
    this.book = await this.longbox.api<ReviewedBook>(`${this.#path}/match`, { method: "DELETE" });
    this.longbox.notify(t("match.isNoLongerMatched", { title: this.book.title }), { level: "success" });
  }
}
