import type { ClientListPage, LongboxClient } from "@longbox/sdk/client";
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import "./import-dialog.js";
import type { ListsImportDialog } from "./import-dialog.js";
import "./list-card.js";
import type { ListRow } from "./shapes.js";
import { pageStyle, style } from "./style.js";
import { messageOf } from "./wording.js";

const rowsAtOnce = 500;

/** `/lists`: one's own reading lists, and those that others made public. A list file can be dropped anywhere on it. */
@customElement("lists-page")
export class ListsPage extends LitElement {
  @property({ attribute: false }) longbox!: LongboxClient;
  @state() private lists: ClientListPage<ListRow> | undefined;
  @state() private problem: string | undefined;
  @state() private dropping = false;
  @query("lists-import-dialog") private importing!: ListsImportDialog;
  #subscriptions: Array<{ release(): void | Promise<void> }> = [];
  #asked = 0;

  static override styles = [
    style,
    pageStyle,
    css`
      :host {
        min-height: 70vh;
      }
      .top {
        display: flex;
        flex-wrap: wrap;
        gap: var(--lb-space-4);
        align-items: end;
        justify-content: space-between;
      }
      .top form {
        flex: 0 1 32rem;
        flex-wrap: nowrap;
      }
      .top label {
        flex: 1 1 8rem;
        min-width: 0;
      }
      section {
        display: grid;
        gap: var(--lb-space-4);
      }
      ul {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(19rem, 100%), 1fr));
        gap: var(--lb-space-4);
      }
      lists-card {
        height: 100%;
      }
      :host([dropping]) .page {
        outline: 3px dashed var(--lb-accent);
        outline-offset: var(--lb-space-3);
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    this.#subscriptions = ["lists", "reader"].map((domain) => this.longbox.onChanged(domain, () => void this.refresh()));
    this.addEventListener("dragover", this.#over);
    this.addEventListener("dragleave", this.#leave);
    this.addEventListener("drop", this.#drop);
    void this.refresh();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const subscription of this.#subscriptions) void subscription.release();
    this.#subscriptions = [];
  }

  override updated(): void {
    this.toggleAttribute("dropping", this.dropping);
  }

  async refresh(): Promise<void> {
    const asked = ++this.#asked;
    try {
      const lists = await this.longbox.list<ListRow>(`/api/lists?limit=${rowsAtOnce}`);
      if (asked !== this.#asked) return;
      this.lists = lists;
      this.problem = undefined;
    } catch (fault) {
      if (asked === this.#asked) this.problem = messageOf(fault);
    }
  }

  override render(): TemplateResult {
    return html`<div class="page">
        <div class="top">
          <h1>Reading lists</h1>
          <form @submit=${this.#create}>
            <label>New list<input name="name" autocomplete="off" maxlength="200" required placeholder="What is it called?" /></label>
            <button class="strong">Make</button>
            <button type="button" @click=${() => this.importing.show()}>Import …</button>
          </form>
        </div>
        ${this.#body()}
      </div>
      <lists-import-dialog .longbox=${this.longbox}></lists-import-dialog>`;
  }

  #body(): TemplateResult {
    if (this.problem !== undefined) return html`<div class="notice" role="alert"><h2>The lists could not be read</h2><p class="problem">${this.problem}</p><button @click=${() => this.refresh()}>Try again</button></div>`;
    if (this.lists === undefined) return html`<div class="waiting" role="status"><span class="hidden">One moment …</span><i></i><i></i></div>`;
    const { items, total } = this.lists;
    if (total === 0) return html`<div class="notice"><h2>No lists yet</h2><p class="soft">A list is an order to read issues in, whether you have them or not. Make one above, take one over from a story arc or the community, or drop a CBL file on this page.</p></div>`;
    const own = items.filter((list) => list.mine);
    const others = items.filter((list) => !list.mine);
    return html`${own.length === 0 ? nothing : this.#section("Yours", own)} ${others.length === 0 ? nothing : this.#section("Shared by others", others)}
      ${items.length < total ? html`<p class="soft">${total - items.length} more are not shown.</p>` : nothing}`;
  }

  #section(heading: string, lists: readonly ListRow[]): TemplateResult {
    return html`<section>
      <h2>${heading}</h2>
      <ul>${repeat(lists, (list) => list.id, (list) => html`<li><lists-card .longbox=${this.longbox} .list=${list}></lists-card></li>`)}</ul>
    </section>`;
  }

  async #create(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    try {
      const { id } = await this.longbox.api<ListRow>("/api/lists", { method: "POST", body: { name: String(new FormData(form).get("name") ?? "") } });
      form.reset();
      this.longbox.navigate(`/lists/${id}`);
    } catch (fault) {
      this.longbox.notify(messageOf(fault), { level: "danger" });
    }
  }

  readonly #over = (event: DragEvent): void => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    this.dropping = true;
  };

  readonly #leave = (): void => {
    this.dropping = false;
  };

  readonly #drop = (event: DragEvent): void => {
    this.dropping = false;
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    this.importing.show(file);
  };
}
