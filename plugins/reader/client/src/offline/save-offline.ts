import { Action, element, LongboxElement, problem, standard } from "@longbox/sdk/ui";
import { html, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import type { OpenIssue } from "@longbox/reader/api";
import { pageUrl } from "../stage/page-images.js";

/** Sharp on screens of phones and tablets, at a fraction of the room of the originals. */
const savedWidth = 1600;

/** The action that saves an issue on this device: its description and its pages. */
@element("reader-save-offline")
export class SaveOffline extends LongboxElement<{ readonly items?: ReadonlyArray<{ readonly cvIssueId: number }> }> {
  static override styles = [standard];
  readonly #action = new Action(this);
  @state() private progress: { readonly done: number; readonly total: number } | undefined;

  override render(): TemplateResult {
    const { progress } = this;
    return html`<div class="stack">
      <p class="soft">
        The issue can then be read on this device without a connection. Reading goes on everywhere once the device is
        online again.
      </p>
      ${
        progress
          ? html`<progress max=${progress.total} value=${progress.done} aria-label="Pages that are saved"></progress>`
          : ""
      }
      ${problem(this.#action.problem)}
      <div class="row end">
        <button type="button" class="primary" ?disabled=${this.#action.busy} @click=${() => void this.#save()}>
          Save
        </button>
      </div>
    </div>`;
  }

  async #save(): Promise<void> {
    const [subject] = this.subject.items ?? [];
    if (!subject) return;
    const saved = await this.#action.run(() => this.#saveIssue(subject.cvIssueId));
    if (!saved) return;
    this.longbox.notify("Saved on this device.", {
      level: "success",
      action: { label: "Show what is saved", run: () => this.longbox.navigate("/offline") },
    });
    this.dispatchEvent(new CustomEvent("done", { bubbles: true, composed: true }));
  }

  async #saveIssue(cvIssueId: number): Promise<void> {
    const address = `/api/reader/issue/${cvIssueId}`;
    const issue = await this.longbox.api<OpenIssue>(address);
    const pages = Array.from({ length: issue.pageCount }, (_, page) =>
      pageUrl({ cvIssueId, version: issue.version, trim: false }, page, savedWidth),
    );
    const item = { path: `/read/${cvIssueId}`, title: issue.label.full, addresses: [address, ...pages] };
    await this.longbox.offline.save(item, (done, total) => (this.progress = { done, total }));
  }
}
