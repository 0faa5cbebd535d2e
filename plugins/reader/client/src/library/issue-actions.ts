import { Action, element, LongboxElement, Resource } from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../chrome/icons.js";
import type { OpenIssue } from "../shapes.js";
import { actionStyle } from "./action-style.js";

type Reading = Pick<OpenIssue, "cvIssueId" | "progress" | "later"> & { readonly readable: boolean };

/** Read, mark and put aside: the actions of one issue (`subject.issue`). Shows nothing for an issue without a readable file. */
@element("reader-issue-actions")
export class ReaderIssueActions extends LongboxElement<{ readonly issue?: { readonly cvIssueId: number; readonly owned?: boolean } }> {
  static override styles = actionStyle;
  readonly #reading = new Resource<Reading>(this, { path: () => this.#path, domains: ["reader", "collection"] });
  readonly #action = new Action(this, { notify: true, after: () => this.#reading.refresh() });

  override render(): unknown {
    const { value, error } = this.#reading;
    // Where nothing can be read, there is nothing to offer.
    return value?.readable && error === undefined ? this.#actions(value) : nothing;
  }

  #actions({ progress, cvIssueId, later }: Reading): TemplateResult {
    const isOpen = progress !== null && !progress.completed;
    const isRead = progress?.completed === true;
    const label = isOpen ? `Continue, page ${progress.page + 1}` : isRead ? "Read again" : "Read";
    return html`<a class="button primary" href="/read/${cvIssueId}${isRead ? "?again" : ""}">${icon("read")}${label}</a>
      <button type="button" aria-pressed=${isRead} @click=${() => this.#do(`issue/${cvIssueId}/mark`, { read: !isRead })}>${icon("check")}${isRead ? "Read" : "Mark as read"}</button>
      ${isOpen ? html`<button type="button" @click=${() => this.#do(`issue/${cvIssueId}/mark`, { read: false })}>Forget my place</button>` : nothing}
      <button type="button" aria-pressed=${later} @click=${() => this.#do(`later/${cvIssueId}`, { on: !later })}>${icon("later")}${later ? "On the later shelf" : "Read later"}</button>`;
  }

  get #path(): string | undefined {
    const { issue } = this.subject;
    return issue && issue.owned !== false ? `/api/reader/issue/${issue.cvIssueId}/progress` : undefined;
  }

  #do(path: string, body: object): Promise<boolean> {
    return this.#action.run(() => this.post(`/api/reader/${path}`, body));
  }
}
