import { Action, element, LongboxElement, problem, Resource, standard, t } from "@longbox/sdk/ui";
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
      <p class="soft">${t("rate.onlyYouSeeYour")}</p>
      <div class="row stars" role="group" aria-label=${t("rate.yourRating")}>
        ${stars.map(
          (star) =>
            html`<button
              type="button"
              aria-pressed=${star === rating}
              aria-label=${star === 1 ? t("rate.n1Star") : t("rate.stars", { star })}
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
          ${t("rate.removeRating")}
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
    const done = await this.#action.run(
      () => this.post(path, { rating }),
      rating === 0 ? t("rate.removed") : t("rate.rated"),
    );
    if (done) this.dispatchEvent(new CustomEvent("done"));
  }
}
