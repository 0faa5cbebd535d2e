import type { Forms, IssueDocument } from "@longbox/collection/api";
import { Action, element, LongboxElement, Resource, rich, t } from "@longbox/sdk/ui";
import { css, html, nothing, type TemplateResult } from "lit";
import { controls } from "./wanted-style.js";

interface FormsSubject {
  readonly issue?: Pick<IssueDocument, "cvIssueId" | "type" | "unit">;
}
type Form = Forms["forms"][number];

/** Types of which nothing else is the same work. */
const single: ReadonlySet<string> = new Set(["comic", "manga"]);

/** On the page of a book: its audiobook, and for managers what may be it. */
@element("collection-forms")
export class CollectionForms extends LongboxElement<FormsSubject> {
  static override styles = [
    controls,
    css`
      :host {
        display: block;
        flex-basis: 100%;
      }
      ul {
        display: grid;
        gap: var(--lb-space-2);
        list-style: none;
        padding: 0;
      }
      a {
        text-decoration: underline;
        text-decoration-thickness: 1px;
        text-underline-offset: 0.2em;
      }
      li {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        gap: var(--lb-space-3);
      }
    `,
  ];
  readonly #forms = new Resource<Forms>(this, { path: () => this.#path, domains: ["collection"] });
  readonly #action = new Action(this, { notify: true, after: () => this.#forms.refresh() });

  get #path(): string | undefined {
    const { issue } = this.subject;
    return issue && !single.has(issue.type) ? `/api/issue/${issue.cvIssueId}/forms` : undefined;
  }

  override render(): TemplateResult | typeof nothing {
    const { forms = [], proposed = [] } = this.#forms.value ?? {};
    if (forms.length + proposed.length === 0) return nothing;
    return html`<ul aria-label=${t("forms.otherForms")}>
      ${forms.map((form) => this.#known(form))} ${proposed.map((form) => this.#likely(form))}
    </ul>`;
  }

  #known(form: Form): TemplateResult {
    return html`<li>
      <span
        >${rich("forms.alsoAs", { unit: form.unit, link: (inside: unknown) => html`<a href="/issue/${form.cvIssueId}">${inside}</a>`, full: form.label.full })}</span
      >
      ${
        this.longbox.may("library.manage")
          ? html`<button
              class="quiet"
              aria-label=${t("forms.unlinkThe", { unit: form.unit, full: form.label.full })}
              ?disabled=${this.#action.busy}
              @click=${() => this.#unlink(form)}
            >
              ${t("forms.unlink")}
            </button>`
          : nothing
      }
    </li>`;
  }

  #likely(form: Forms["proposed"][number]): TemplateResult {
    return html`<li>
      <span
        >${rich("forms.mayBeTheSame", { unit: form.unit, link: (inside: unknown) => html`<a href="/issue/${form.cvIssueId}">${inside}</a>`, full: form.label.full })}
        <span class="soft">${this.longbox.said(form.reason)}</span></span
      >
      <button
        aria-label=${t("forms.linkWithThe", { unit: form.unit, full: form.label.full })}
        ?disabled=${this.#action.busy}
        @click=${() => this.#link(form)}
      >
        ${t("forms.link")}
      </button>
    </li>`;
  }

  #link({ cvIssueId, unit }: Form): void {
    void this.#action.run(() => this.post(this.#path ?? "", { cvIssueId }), t("forms.theWasLinked", { unit }));
  }

  /** The other one is taken out of the work, so that a third form stays. */
  #unlink({ cvIssueId, unit }: Form): void {
    void this.#action.run(
      () => this.longbox.api(`/api/issue/${cvIssueId}/forms`, { method: "DELETE" }),
      t("forms.theIsNoLonger", { unit }),
    );
  }
}
