import type { ClientSubject, LongboxClient } from "@longbox/sdk/client";
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import type { ListRow } from "./shapes.js";
import { dialogStyle, style } from "./style.js";
import { counted, messageOf } from "./wording.js";

interface SubjectIssue {
  readonly cvIssueId: number;
}

/** What the lists take at once. */
const mostIssues = 5_000;

/** Puts an issue (`subject.issue`), or every issue of a series (`subject.series`), on one of one's lists. */
@customElement("lists-add")
export class ListsAdd extends LitElement {
  @property({ attribute: false }) longbox!: LongboxClient;
  @property({ attribute: false }) subject: ClientSubject = {};
  @state() private lists: readonly ListRow[] | undefined;
  @state() private problem: string | undefined;
  @state() private busy = false;
  @query("dialog") private dialog!: HTMLDialogElement;

  static override styles = [
    style,
    dialogStyle,
    css`
      :host {
        display: contents;
      }
      ul {
        display: grid;
        gap: var(--lb-space-2);
      }
      li button {
        width: 100%;
        justify-content: space-between;
        text-align: start;
        overflow-wrap: anywhere;
      }
    `,
  ];

  override render(): TemplateResult | typeof nothing {
    const ids = this.#ids;
    if (ids.length === 0 || ids.length > mostIssues) return nothing;
    return html`<button @click=${() => this.#open()}>Add to a list</button>
      <dialog aria-labelledby="heading">
        <div class="inside">
          <div class="head">
            <h2 id="heading">Add ${ids.length === 1 ? "it" : counted(ids.length, "issue", "issues")} to a list</h2>
            <button @click=${() => this.dialog.close()}>Close</button>
          </div>
          <div role="status" aria-live="polite">${this.problem === undefined ? nothing : html`<p class="problem">${this.problem}</p>`}</div>
          <ul>
            ${(this.lists ?? []).map((list) => html`<li><button ?disabled=${this.busy} @click=${() => this.#add(list)}><span>${list.name}</span><span class="facts">${list.items.toLocaleString()}</span></button></li>`)}
          </ul>
          <form @submit=${this.#create}>
            <label>New list<input name="name" required maxlength="200" autocomplete="off" /></label>
            <button class="strong" ?disabled=${this.busy}>Make and add</button>
          </form>
        </div>
      </dialog>`;
  }

  get #ids(): readonly number[] {
    const issue = this.subject["issue"] as SubjectIssue | undefined;
    const series = this.subject["series"] as { readonly issues?: readonly SubjectIssue[] } | undefined;
    return issue ? [issue.cvIssueId] : (series?.issues ?? []).map(({ cvIssueId }) => cvIssueId);
  }

  async #open(): Promise<void> {
    this.dialog.showModal();
    await this.#attempt(async () => {
      this.lists = (await this.longbox.api<ListRow[]>("/api/lists?limit=500")).filter((list) => list.mine);
    });
  }

  #add(list: ListRow): Promise<void> {
    return this.#attempt(async () => {
      const { added } = await this.longbox.api<{ added: number }>(`/api/lists/${list.id}/items`, { method: "POST", body: { cvIssueIds: this.#ids } });
      this.#done(added === 0 ? `${list.name} has it already.` : `${counted(added, "issue was", "issues were")} added to ${list.name}.`);
    });
  }

  readonly #create = (event: SubmitEvent): void => {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const name = String(new FormData(form).get("name") ?? "");
    void this.#attempt(async () => {
      const list = await this.longbox.api<ListRow>("/api/lists", { method: "POST", body: { name, cvIssueIds: this.#ids } });
      form.reset();
      this.#done(`${counted(this.#ids.length, "issue was", "issues were")} added to ${list.name}.`);
    });
  };

  #done(message: string): void {
    this.dialog.close();
    this.longbox.notify(message, { level: "success" });
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    this.busy = true;
    this.problem = undefined;
    try {
      await work();
    } catch (fault) {
      this.problem = messageOf(fault);
    } finally {
      this.busy = false;
    }
  }
}
