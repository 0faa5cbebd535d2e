import type { WorkCandidate, WorkRow } from "@longbox/open-library/api";
import { cover, element, LongboxElement, t } from "@longbox/sdk/ui";
import { css, html, nothing, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import { style } from "./style.js";
import { byAuthors, factsOf } from "./wording.js";

/** A work; the candidates of a match also have their reasons. */
export type ShownWork = WorkRow & Partial<Pick<WorkCandidate, "score" | "reasons">>;

/** Works of Open Library, each with a button. Dispatches `choose` with the work. */
@element("open-library-works")
export class OpenLibraryWorks extends LongboxElement {
  @property({ attribute: false }) works: readonly ShownWork[] = [];
  @property({ type: Boolean }) busy = false;

  static override styles = [
    style,
    css`
      li {
        display: grid;
        grid-template-columns: 3.5rem minmax(0, 1fr) auto;
        gap: var(--lb-space-4);
        align-items: center;
        padding: var(--lb-space-3);
        border: 1px solid var(--lb-line);
        border-radius: var(--lb-radius-m);
        background: var(--lb-surface);
      }
      @media (max-width: 559px) {
        li {
          grid-template-columns: 3rem minmax(0, 1fr);
        }
        li > button {
          grid-column: 2;
          justify-self: start;
        }
      }
    `,
  ];

  override render(): TemplateResult {
    return html`<ul>
      ${this.works.map((work) => this.#row(work))}
    </ul>`;
  }

  #row(work: ShownWork): TemplateResult {
    const facts = factsOf(work);
    const fits = work.score === undefined ? "" : t("works.fitsOf100", { score: work.score });
    const reasons = work.reasons?.map((reason) => this.longbox.said(reason)).join(", ") ?? "";
    return html`<li>
      ${cover({ path: work.image ?? undefined, title: work.title, sizes: "56px", hasOneWidth: true })}
      <div class="about">
        <h3>${work.title}</h3>
        <p>${byAuthors(work.authors)}</p>
        <p class="facts">${[facts, fits].filter(Boolean).join(" · ")}</p>
        ${reasons === "" ? nothing : html`<p class="soft reasons">${reasons}</p>`}
      </div>
      <button
        ?disabled=${this.busy}
        aria-label=${t("works.thisOne", { title: work.title, authors: byAuthors(work.authors), value: work.year === null ? "" : `, ${work.year}` })}
        @click=${() => this.dispatchEvent(new CustomEvent<ShownWork>("choose", { detail: work }))}
      >
        ${t("works.thisOne2")}
      </button>
    </li>`;
  }
}
