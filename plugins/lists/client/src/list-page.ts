import type { ClientSubject, LongboxClient } from "@longbox/sdk/client";
import { css, html, LitElement, nothing, type PropertyValues, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import "./list-head.js";
import "./list-items.js";
import type { ImportOutcome, Item, ListDocument } from "./shapes.js";
import { pageStyle, style } from "./style.js";
import { counted, imported, issueNumber, messageOf, nameOf } from "./wording.js";

/** `/lists/:id`: one list, to read along and, when it is one's own, to put in order. */
@customElement("lists-list-page")
export class ListsListPage extends LitElement {
  @property({ attribute: false }) longbox!: LongboxClient;
  @property({ attribute: false }) subject: ClientSubject = {};
  @state() private list: ListDocument | undefined;
  @state() private problem: string | undefined;
  @state() private busy = false;
  #subscriptions: Array<{ release(): void | Promise<void> }> = [];
  #asked = 0;
  /** Changes that the server has not answered yet: what it says meanwhile is old. */
  #underWay = 0;
  /** One change after the other: each is about the order that the one before left. */
  #turn: Promise<unknown> = Promise.resolve();

  static override styles = [
    style,
    pageStyle,
    css`
      .unmatched {
        display: grid;
        gap: var(--lb-space-3);
        padding: var(--lb-space-4);
        border: 1px solid var(--lb-line);
        border-inline-start: 4px solid var(--lb-warning);
        border-radius: var(--lb-radius-m);
        background: var(--lb-surface);
      }
      .unmatched ul {
        max-height: 22rem;
        overflow-y: auto;
      }
      .unmatched li {
        display: grid;
        padding: var(--lb-space-2) 0;
      }
      .unmatched li + li {
        border-top: 1px solid var(--lb-line);
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    this.#subscriptions = ["lists", "reader"].map((domain) => this.longbox.onChanged(domain, () => void this.refresh()));
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    for (const subscription of this.#subscriptions) void subscription.release();
    this.#subscriptions = [];
  }

  override willUpdate(changed: PropertyValues): void {
    if (!changed.has("subject")) return;
    this.list = undefined;
    void this.refresh();
  }

  async refresh(): Promise<void> {
    if (this.#underWay > 0) return;
    const asked = ++this.#asked;
    try {
      const list = await this.longbox.api<ListDocument>(this.#path);
      if (asked !== this.#asked) return;
      this.list = list;
      this.problem = undefined;
    } catch (fault) {
      if (asked === this.#asked) this.problem = messageOf(fault);
    }
  }

  override render(): TemplateResult {
    const { list } = this;
    if (this.problem !== undefined) return html`<div class="notice" role="alert"><h1>This list cannot be read</h1><p class="problem">${this.problem}</p><button @click=${() => this.longbox.back("/lists")}>All lists</button></div>`;
    if (!list) return html`<div class="page waiting" role="status"><span class="hidden">One moment …</span><i></i><i></i><i></i></div>`;
    return html`<div class="page">
      <lists-head .longbox=${this.longbox} .list=${list} @changed=${() => this.refresh()}></lists-head>
      ${this.#unmatched(list)}
      ${list.items.length === 0 ? html`<p class="soft">${list.mine ? "There is nothing in this list yet. “Add to a list” stands beside every issue and every series." : "There is nothing in this list that you can see."}</p>` : nothing}
      <lists-items .longbox=${this.longbox} .items=${list.items} ?mine=${list.mine} @order=${(event: CustomEvent<Item[]>) => this.#order(event.detail)} @take=${(event: CustomEvent<Item>) => this.#take(event.detail)}></lists-items>
    </div>`;
  }

  #unmatched({ unmatched }: ListDocument): TemplateResult | typeof nothing {
    if (unmatched.length === 0) return nothing;
    return html`<section class="unmatched" aria-labelledby="unmatched">
      <h2 id="unmatched">${counted(unmatched.length, "issue was", "issues were")} not found</h2>
      <ul tabindex="0" aria-label="Issues that were not found">${unmatched.map((book) => html`<li><strong>${book.series || "No series named"} ${issueNumber(book.number)}${book.volume ? ` (${book.volume})` : ""}</strong><span class="soft">${book.reason}</span></li>`)}</ul>
      <div class="row">
        <button ?disabled=${this.busy} @click=${() => this.#lookAgain()}>Look again</button>
        <button ?disabled=${this.busy} @click=${() => this.#attempt(() => this.longbox.api(`${this.#path}/unmatched`, { method: "DELETE" }))}>Forget them</button>
      </div>
    </section>`;
  }

  get #path(): string {
    return `/api/lists/${encodeURIComponent(String(this.subject["id"]))}`;
  }

  #lookAgain(): Promise<void> {
    return this.#attempt(async () => {
      const outcome = await this.longbox.api<ImportOutcome>(`${this.#path}/match`, { method: "POST" });
      this.longbox.notify(imported(outcome));
    });
  }

  /** Shows the new order at once; when it is refused, what the server has. */
  async #order(items: readonly Item[]): Promise<void> {
    if (!this.list) return;
    this.list = { ...this.list, items: [...items] };
    await this.#change(() => this.longbox.api(this.#path, { method: "PATCH", body: { order: items.map((item) => item.cvIssueId) } }));
  }

  async #take(item: Item): Promise<void> {
    const { list } = this;
    if (!list) return;
    const position = list.items.indexOf(item) + 1;
    this.list = { ...list, total: list.total - 1, items: list.items.filter((other) => other !== item) };
    await this.#change(() => this.longbox.api(`${this.#path}/items/${item.cvIssueId}?position=${position}`, { method: "DELETE" }));
    this.longbox.notify(`${nameOf(item)} was taken out.`);
  }

  async #change(change: () => Promise<unknown>): Promise<void> {
    this.#underWay += 1;
    this.#turn = this.#turn.then(change).catch((fault: unknown) => this.longbox.notify(messageOf(fault), { level: "danger" }));
    await this.#turn;
    this.#underWay -= 1;
    await this.refresh();
  }

  async #attempt(work: () => Promise<unknown>): Promise<void> {
    this.busy = true;
    try {
      await work();
      await this.refresh();
    } catch (fault) {
      this.longbox.notify(messageOf(fault), { level: "danger" });
    } finally {
      this.busy = false;
    }
  }
}
