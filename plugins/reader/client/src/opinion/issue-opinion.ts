import { Action, element, icon, LongboxElement, Resource, standard, submitted, t } from "@longbox/sdk/ui";
import { css, html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import type { Opinion } from "@longbox/reader/api";

const stars = [1, 2, 3, 4, 5] as const;

/** On the page of an issue: the user's rating and private note. */
@element("reader-opinion")
export class IssueOpinion extends LongboxElement<{ readonly issue?: { readonly cvIssueId: number } }> {
  static override styles = [
    standard,
    css`
      :host {
        display: grid;
        gap: var(--lb-space-2);
        justify-items: start;
      }
      .stars {
        display: flex;
        align-items: center;
        margin: 0;
        padding: 0;
        border: 0;
      }
      .stars label {
        position: relative;
        display: grid;
        place-items: center;
        width: 2.25rem;
        height: 2.5rem;
        border-radius: var(--lb-radius-s);
        color: var(--lb-ink-soft);
        cursor: pointer;
      }
      .stars label:has(:focus-visible) {
        outline: 2px solid var(--lb-accent);
      }
      .stars label .icon {
        font-size: 1.375rem;
      }
      .stars .full {
        color: var(--lb-accent);
      }
      .stars .full path {
        fill: currentColor;
      }
      .note {
        max-width: 60ch;
        padding-inline-start: var(--lb-space-3);
        border-inline-start: 3px solid var(--lb-line);
        white-space: pre-line;
        overflow-wrap: anywhere;
      }
      form {
        display: grid;
        gap: var(--lb-space-2);
        width: min(100%, 36rem);
      }
      textarea {
        min-height: 6rem;
      }
    `,
  ];

  @state() private isWriting = false;
  readonly #opinion = new Resource<Opinion>(this, { path: () => this.#path, domains: ["reader"] });
  readonly #action = new Action(this, { notify: true });

  get #path(): string | undefined {
    const { issue } = this.subject;
    return issue && `/api/reader/issue/${issue.cvIssueId}/opinion`;
  }

  override render(): TemplateResult | typeof nothing {
    const opinion = this.#opinion.value;
    if (!opinion) return nothing;
    return html`<div class="row">
        ${this.#stars(opinion.rating)}
        ${
          this.isWriting
            ? nothing
            : html`<button type="button" class="quiet" @click=${() => this.#write()}>
                ${icon("edit")}${opinion.note === "" ? t("issueOpinion.addAPrivateNote") : t("issueOpinion.editTheNote")}
              </button>`
        }
      </div>
      ${this.isWriting ? this.#form(opinion.note) : opinion.note === "" ? nothing : html`<p class="note">${opinion.note}</p>`}`;
  }

  #stars(rating: number | null): TemplateResult {
    return html`<fieldset class="stars">
      <legend class="hidden">${t("issueOpinion.yourRating")}</legend>
      ${stars.map(
        (star) =>
          html`<label class=${star <= (rating ?? 0) ? "full" : ""} title=${starsInWords(star)}
            ><input
              class="hidden"
              type="radio"
              name="rating"
              value=${star}
              aria-label=${starsInWords(star)}
              .checked=${star === rating}
              @change=${() => this.#save({ rating: star })}
            />${icon("star")}</label
          >`,
      )}
      ${rating === null ? nothing : html`<button type="button" class="quiet round" aria-label=${t("issueOpinion.removeTheRating")} title=${t("issueOpinion.removeTheRating")} @click=${() => this.#save({ rating: null })}>${icon("close")}</button>`}
    </fieldset>`;
  }

  #form(note: string): TemplateResult {
    return html`<form @submit=${(event: SubmitEvent) => this.#keep(submitted(event)["note"] ?? "")}>
      <label for="note">${t("issueOpinion.yourNote")}</label>
      <textarea id="note" name="note" maxlength="10000" aria-describedby="about" .value=${note}></textarea>
      <p class="hint" id="about">${t("issueOpinion.onlyYouCanSee")}</p>
      <div class="row">
        <button class="primary" ?disabled=${this.#action.busy}>${t("issueOpinion.save")}</button>
        <button type="button" class="quiet" @click=${() => this.#stop()}>${t("issueOpinion.cancel")}</button>
      </div>
    </form>`;
  }

  async #write(): Promise<void> {
    this.isWriting = true;
    await this.updateComplete;
    this.renderRoot.querySelector("textarea")?.focus();
  }

  /** The focus goes back to the button that opened the form. */
  async #stop(): Promise<void> {
    this.isWriting = false;
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>(".row > button")?.focus();
  }

  async #keep(note: string): Promise<void> {
    if (await this.#save({ note: note.trim() })) await this.#stop();
  }

  #save(change: Partial<Opinion>): Promise<boolean> {
    const path = this.#path;
    if (path === undefined) return Promise.resolve(false);
    return this.#action.run(async () => this.#opinion.put(await this.post<Opinion>(path, change)));
  }
}

function starsInWords(star: number): string {
  return star === 1 ? t("issueOpinion.n1Star") : t("issueOpinion.stars", { star });
}
