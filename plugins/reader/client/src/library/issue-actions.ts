import type { ClientSubject, LongboxClient } from "@longbox/sdk/client";
import { html, LitElement, nothing, type PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { icon } from "../chrome/icons.js";
import type { OpenIssue } from "../shapes.js";
import { actionStyle } from "./action-style.js";
import { follow } from "./links.js";

type Reading = Pick<OpenIssue, "cvIssueId" | "progress" | "later"> & { readonly readable: boolean };

/** Read, mark and put aside: the actions of one issue (`subject.issue`). Shows nothing for an issue without a readable file. */
@customElement("reader-issue-actions")
export class ReaderIssueActions extends LitElement {
  @property({ attribute: false }) longbox!: LongboxClient;
  @property({ attribute: false }) subject: ClientSubject = {};
  @state() private reading: Reading | undefined;
  #subscription: { release(): void | Promise<void> } | undefined;
  #asked = 0;

  static override styles = actionStyle;

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    void this.#subscription?.release();
    this.#subscription = undefined;
  }

  override updated(changed: PropertyValues): void {
    if (!this.#subscription) this.#subscription = this.longbox.onChanged("reader", () => void this.#load());
    if (changed.has("subject")) void this.#load();
  }

  override render() {
    const { reading } = this;
    if (!reading?.readable) return nothing;
    const { progress, cvIssueId, later } = reading;
    const isOpen = progress !== null && !progress.completed;
    const isRead = progress?.completed === true;
    const label = isOpen ? `Continue, page ${progress.page + 1}` : isRead ? "Read again" : "Read";
    return html`<a class="strong" href="/read/${cvIssueId}${isRead ? "?again" : ""}" @click=${(event: MouseEvent) => follow(event, this.longbox)}>${icon("read")}${label}</a>
      <button type="button" aria-pressed=${isRead} @click=${() => void this.#post(`issue/${cvIssueId}/mark`, { read: !isRead })}>${icon("check")}${isRead ? "Read" : "Mark as read"}</button>
      ${isOpen ? html`<button type="button" @click=${() => void this.#post(`issue/${cvIssueId}/mark`, { read: false })}>Forget my place</button>` : nothing}
      <button type="button" aria-pressed=${later} @click=${() => void this.#post(`later/${cvIssueId}`, { on: !later })}>${icon("later")}${later ? "On the later shelf" : "Read later"}</button>`;
  }

  async #load(): Promise<void> {
    const asked = ++this.#asked;
    const issue = this.subject["issue"] as { cvIssueId: number; owned?: boolean } | undefined;
    if (!issue || issue.owned === false) {
      this.reading = undefined;
      return;
    }
    try {
      const reading = await this.longbox.api<Reading>(`/api/reader/issue/${issue.cvIssueId}/progress`);
      if (asked === this.#asked) this.reading = reading;
    } catch {
      // There is nothing to read, so there is nothing to offer.
      if (asked === this.#asked) this.reading = undefined;
    }
  }

  async #post(path: string, body: unknown): Promise<void> {
    try {
      await this.longbox.api(`/api/reader/${path}`, { method: "POST", body });
      await this.#load();
    } catch (thrown) {
      this.longbox.notify(thrown instanceof Error ? thrown.message : String(thrown), { level: "danger" });
    }
  }
}
