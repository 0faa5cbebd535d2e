import type { Review, ReviewedBook } from "@longbox/open-library/api";
import { Action, cover, element, LongboxElement, notice, pageFrame, Resource, skeleton, t } from "@longbox/sdk/ui";
import { css, html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { style } from "./style.js";
import { bookFacts, byAuthors } from "./wording.js";
import { type ShownWork } from "./works.js";
import "./works.js";

const atOnce = 20;

/** `/open-library/review`: books whose work is not certain. */
@element("open-library-review")
export class OpenLibraryReview extends LongboxElement {
  @state() private limit = atOnce;
  readonly #review = new Resource<Review>(this, {
    path: () => `/api/open-library/review?limit=${this.limit}`,
    domains: ["open-library", "collection"],
  });
  readonly #action = new Action(this, { notify: true, after: () => this.#review.refresh() });

  static override styles = [
    style,
    pageFrame,
    css`
      .book {
        display: grid;
        gap: var(--lb-space-4);
      }
      .head {
        display: grid;
        grid-template-columns: 5.5rem minmax(0, 1fr) auto;
        gap: var(--lb-space-4);
        align-items: start;
      }
      @media (max-width: 559px) {
        .head {
          grid-template-columns: 3.5rem minmax(0, 1fr);
        }
        .head > button {
          grid-column: 2;
          justify-self: start;
        }
      }
    `,
  ];

  override render(): TemplateResult {
    return html`<div class="page-head">
        <div>
          <h1>${t("review.booksToReview")}</h1>
          <p class="soft">${t("review.openLibraryMayKnow")}</p>
        </div>
        <button ?disabled=${this.#action.busy} @click=${this.#lookUp}>${t("review.lookUpBooks")}</button>
      </div>
      ${this.#review.render((review) => this.#list(review), { waiting: skeleton() })}`;
  }

  #list({ books, total }: Review): TemplateResult {
    if (total === 0)
      return notice({
        heading: t("review.nothingToReview"),
        text: t("review.booksThatAreNot"),
        drawing: "box",
      });
    return html`<ul>
        ${repeat(
          books,
          ({ id }) => id,
          (book) => this.#book(book),
        )}
      </ul>
      ${total > books.length ? html`<button @click=${() => (this.limit += atOnce)}>${t("review.showMoreOfBooks", { total })}</button>` : nothing}`;
  }

  #book(book: ReviewedBook): TemplateResult {
    const { busy } = this.#action;
    return html`<li class="card book">
      <div class="head">
        ${cover({ path: book.cover, title: book.title, sizes: "88px" })}
        <div class="about">
          <h2><a href="/issue/${book.cvIssueId}">${book.title}</a></h2>
          <p>${byAuthors(book.authors)}</p>
          <p class="facts">${[book.unit, bookFacts(book)].filter(Boolean).join(" · ")}</p>
        </div>
        <button
          ?disabled=${busy}
          aria-label=${t("review.noneOfTheseIs", { title: book.title })}
          @click=${() => this.#dismiss(book)}
        >
          ${t("review.noneOfThese")}
        </button>
      </div>
      <open-library-works
        .longbox=${this.longbox}
        .works=${book.candidates}
        ?busy=${busy}
        @choose=${(event: CustomEvent<ShownWork>) => this.#choose(book, event.detail)}
      ></open-library-works>
    </li>`;
  }

  #choose({ cvIssueId, title }: ReviewedBook, { workId }: ShownWork): void {
    void this.#action.run(
      () => this.post(`/api/open-library/books/${cvIssueId}/match`, { workId }),
      t("review.wasMatched", { title }),
    );
  }

  #dismiss({ cvIssueId, title }: ReviewedBook): void {
    void this.#action.run(
      () => this.longbox.api(`/api/open-library/books/${cvIssueId}/match`, { method: "DELETE" }),
      t("review.staysAsItIs", { title }),
    );
  }

  readonly #lookUp = (): void => {
    void this.#action.run(() => this.post("/api/open-library/sync"), t("review.booksAreBeingLooked"));
  };
}
