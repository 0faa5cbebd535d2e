import { Action, element, LongboxElement, problem, Resource, standard } from "@longbox/sdk/ui";
import { css, html, type TemplateResult } from "lit";

interface Rating {
  readonly rating: number;
}

const stars = [1, 2, 3, 4, 5];

/** The action that rates an issue: five stars in a dialog. */
@element("shelves-rate")
export class ShelvesRate extends LongboxElement<{ readonly items?: ReadonlyArray<{ readonly cvIssueId: number }> }> {
  static override styles = [
    standard,
    css`
      .stars button {
        min-width: 2.75rem;
        font-size: var(--lb-text-l);
        line-height: 1;
      }
    `,
  ];
  readonly #rating = new Resource<Rating>(this, { path: () => this.#path() });
  readonly #action = new Action(this);

  override render(): TemplateResult {
    const rating = this.#rating.value?.rating ?? 0;
    return html`<div class="stack">
      <p class="soft">Only you see your ratings. You can browse by them.</p>
      <div class="row stars" role="group" aria-label="Your rating">
        ${stars.map(
          (star) =>
            html`<button
              type="button"
              aria-pressed=${star === rating}
              aria-label=${star === 1 ? "1 star" : `${star} stars`}
              ?disabled=${this.#action.busy}
              @click=${() => void this.#rate(star)}
            >
              ${star <= rating ? "★" : "☆"}
            </button>`,
        )}
      </div>
      ${problem(this.#action.problem)}
      <div class="row end">
        <button type="button" ?disabled=${this.#action.busy || rating === 0} @click=${() => void this.#rate(0)}>
          Remove rating
        </button>
      </div>
    </div>`;
  }

  #path(): string | undefined {
    const [issue] = this.subject.items ?? [];
    return issue && `/api/shelves/ratings/${issue.cvIssueId}`;
  }

  async #rate(rating: number): Promise<void> {
    const path = this.#path();
    if (path === undefined) return;
    const done = await this.#action.run(() => this.post(path, { rating }), rating === 0 ? "Removed." : "Rated.");
    if (done) this.dispatchEvent(new CustomEvent("done"));
  }
}
