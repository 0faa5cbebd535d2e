import type { IssueDocument } from "@longbox/collection/api";
import {
  Action,
  cover,
  covers,
  element,
  field,
  LongboxElement,
  problem,
  Resource,
  submitted,
  t,
} from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { changesOf, issueFields, textsOf, type IssueField } from "./issue-fields.js";
import { lockLine } from "./lock-line.js";
import { detailsStyle } from "./style.js";

interface Control {
  readonly name: IssueField;
  readonly label: string;
  readonly value: string;
  readonly hint?: string;
}

/** So many pages are offered as cover: it is among the first, and each is a picture. */
const mostPages = 40;

/** The action that edits what is known about an issue, and chooses the page that is its cover. */
@element("collection-issue-details")
export class IssueDetails extends LongboxElement<{ readonly items?: ReadonlyArray<{ readonly cvIssueId: number }> }> {
  static override styles = [covers, detailsStyle];
  /** What was locked or unlocked here; the rest is as the server says. */
  @state() private locks: ReadonlyMap<IssueField, boolean> = new Map();
  @state() private chosenPage: number | null | undefined;
  readonly #action = new Action(this);
  readonly #issue = new Resource<IssueDocument>(this, {
    path: () => this.#path,
  });

  get #path(): string | undefined {
    const [item] = this.subject.items ?? [];
    return item && `/api/issue/${item.cvIssueId}`;
  }

  override render(): unknown {
    return this.#issue.render((issue) => this.#form(issue));
  }

  #form(issue: IssueDocument): TemplateResult {
    const texts = textsOf(issue);
    return html`<form class="stack" @submit=${(event: Event) => void this.#save(event, issue)}>
      <p class="soft">${t("issueDetails.lockedFieldsStayAs")}</p>
      ${this.#line(issue, "title", this.#text({ name: "title", label: t("issueDetails.title2"), value: texts.title }))}
      ${this.#line(issue, "coverDate", this.#text({ name: "coverDate", label: t("issueDetails.date2"), value: texts.coverDate, hint: t("issueDetails.forExample201905") }))}
      ${this.#line(issue, "description", this.#area({ name: "description", label: t("issueDetails.description2"), value: texts.description }))}
      ${this.#line(issue, "credits", this.#area({ name: "credits", label: t("issueDetails.people2"), value: texts.credits, hint: t("issueDetails.oneLineForEach") }))}
      ${this.#line(issue, "characters", this.#text({ name: "characters", label: t("issueDetails.characters2"), value: texts.characters, hint: t("issueDetails.separatedByCommasPut") }))}
      ${this.#covers(issue)} ${problem(this.#action.problem)}
      <div class="row end">
        <button class="primary" ?disabled=${this.#action.busy}>${t("issueDetails.save")}</button>
      </div>
    </form>`;
  }

  #text({ name, label, value, hint }: Control): TemplateResult {
    const input = (typed: string) => this.#lock(name, typed !== "");
    const wrong = this.#action.problemOf(name);
    return field({ name, label, value, input, problem: wrong, ...(hint !== undefined && { hint }) });
  }

  #area({ name, label, value, hint }: Control): TemplateResult {
    return html`<div class="field">
      <label for=${name}>${label}</label>
      <textarea
        id=${name}
        name=${name}
        aria-describedby="${name}-about"
        .value=${value}
        @input=${(event: Event) => this.#lock(name, (event.target as HTMLTextAreaElement).value !== "")}
      ></textarea>
      <div id="${name}-about">${hint === undefined ? nothing : html`<p class="hint">${hint}</p>`}</div>
    </div>`;
  }

  #line(issue: IssueDocument, name: IssueField, control: TemplateResult): TemplateResult {
    const isLocked = this.#isLocked(issue, name);
    return lockLine({ name: names[name], isLocked, changed: (now) => this.#lock(name, now) }, control);
  }

  #covers(issue: IssueDocument): TemplateResult | typeof nothing {
    const pages = Math.min(issue.pages, mostPages);
    if (!issue.owned || pages < 2) return nothing;
    const chosen = this.chosenPage === undefined ? issue.coverPage : this.chosenPage;
    const choose = (page: number | null) => () => (this.chosenPage = page);
    return html`<fieldset>
      <legend>${t("issueDetails.cover")}</legend>
      <label class="check"
        ><input
          type="radio"
          name="cover"
          .checked=${chosen === null}
          @change=${choose(null)}
        />${t("issueDetails.theFilesOwnCover")}</label
      >
      <ul class="covers">
        ${repeat(
          Array.from({ length: pages }, (_, page) => page),
          (page) =>
            html`<li>
              <label
                ><input
                  class="hidden"
                  type="radio"
                  name="cover"
                  aria-label=${t("issueDetails.page", { page: page + 1 })}
                  .checked=${chosen === page}
                  @change=${choose(page)}
                />${cover({ path: `/api/issue/${issue.cvIssueId}/cover?page=${page}`, title: t("issueDetails.page", { page: page + 1 }), sizes: "96px" })}<span
                  class="label"
                  >${t("issueDetails.page", { page: page + 1 })}</span
                ></label
              >
            </li>`,
        )}
      </ul>
    </fieldset>`;
  }

  #isLocked(issue: IssueDocument, name: IssueField): boolean {
    return this.locks.get(name) ?? issue.locked.includes(name);
  }

  #lock(name: IssueField, isLocked: boolean): void {
    this.locks = new Map([...this.locks, [name, isLocked]]);
  }

  async #save(event: Event, issue: IssueDocument): Promise<void> {
    const typed = submitted(event);
    const texts = { ...textsOf(issue), ...typed };
    const body = {
      ...changesOf(issue, texts),
      ...(this.chosenPage !== undefined && { coverPage: this.chosenPage }),
      locked: issueFields.filter((name) => this.#isLocked(issue, name)),
    };
    const isSaved = await this.#action.run(() => this.post(`${this.#path}/details`, body), t("issueDetails.saved"));
    if (isSaved) this.dispatchEvent(new CustomEvent("done", { bubbles: true, composed: true }));
  }
}

/** The fields as screen readers name their locks. */
const names: Readonly<Record<IssueField, string>> = {
  title: t("issueDetails.title"),
  coverDate: t("issueDetails.date"),
  description: t("issueDetails.description"),
  credits: t("issueDetails.people"),
  characters: t("issueDetails.characters"),
};
