import { Action, count, Dialog, element, LongboxElement, number, problem, submitted } from "@longbox/sdk/ui";
import { css, html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import type { ListRow } from "./shapes.js";
import { dialogStyle } from "./style.js";

interface SubjectIssue {
  readonly cvIssueId: number;
}

/** What the lists take at once. */
const mostIssues = 5_000;

/** Puts an issue (`subject.issue`), or every issue of a series (`subject.series`), on one of one's lists. */
@element("lists-add")
export class ListsAdd extends LongboxElement<{ readonly issue?: SubjectIssue; readonly series?: { readonly issues?: readonly SubjectIssue[] } }> {
  @state() private lists: readonly ListRow[] = [];
  readonly #dialog = new Dialog(this);
  readonly #action = new Action(this);

  static override styles = [
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
    return html`<button aria-haspopup="dialog" @click=${() => this.#open()}>Add to a list</button>
      ${this.#dialog.render(`Add ${ids.length === 1 ? "it" : count(ids.length, "issue")} to a list`, () => this.#inside())}`;
  }

  #inside(): TemplateResult {
    const { busy } = this.#action;
    return html`${problem(this.#action.problem)}
      <ul>
        ${this.lists.map((list) => html`<li><button ?disabled=${busy} @click=${() => this.#add(list)}><span>${list.name}</span><span class="facts">${number(list.items)}</span></button></li>`)}
      </ul>
      <form @submit=${this.#create}>
        <label class="field">New list<input name="name" required maxlength="200" autocomplete="off" /></label>
        <button class="primary" ?disabled=${busy}>Make and add</button>
      </form>`;
  }

  get #ids(): readonly number[] {
    const { issue, series } = this.subject;
    return issue ? [issue.cvIssueId] : (series?.issues ?? []).map(({ cvIssueId }) => cvIssueId);
  }

  async #open(): Promise<void> {
    await this.#dialog.open();
    await this.#action.run(async () => {
      this.lists = (await this.longbox.api<ListRow[]>("/api/lists?limit=500")).filter((list) => list.mine);
    });
  }

  #add(list: ListRow): Promise<boolean> {
    return this.#action.run(async () => {
      const { added } = await this.post<{ added: number }>(`/api/lists/${list.id}/items`, { cvIssueIds: this.#ids });
      this.#done(added === 0 ? `${list.name} has it already.` : `${count(added, "issue was", "issues were")} added to ${list.name}.`);
    });
  }

  readonly #create = (event: SubmitEvent): void => {
    const { name } = submitted(event);
    void this.#action.run(async () => {
      const list = await this.post<ListRow>("/api/lists", { name, cvIssueIds: this.#ids });
      this.#done(`${count(this.#ids.length, "issue was", "issues were")} added to ${list.name}.`);
    });
  };

  #done(message: string): void {
    this.#dialog.close();
    this.longbox.notify(message, { level: "success" });
  }
}
