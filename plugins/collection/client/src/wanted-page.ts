import type { ClientListPage, LongboxClient } from "@longbox/sdk/client";
import { html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { grouped, type Group } from "./groups.js";
import type { Question, WantedRow } from "./shapes.js";
import { wantedStyle } from "./wanted-style.js";
import "./wanted-filters.js";
import type { Wish } from "./wanted-row.js";
import "./wanted-row.js";
import { issueNumber, messageOf } from "./wording.js";

const rowsAtOnce = 100;

/** `/wanted`: the issues that nobody has, and why they are wanted. */
@customElement("collection-wanted-page")
export class WantedPage extends LitElement {
  @property({ attribute: false }) longbox!: LongboxClient;
  @state() private question: Question = { scope: "wanted", sort: "series", followed: false, hideUnreleased: false, q: "", page: 0 };
  @state() private list: ClientListPage<WantedRow> | undefined;
  @state() private problem: string | undefined;
  #subscription: { release(): void | Promise<void> } | undefined;
  #asked = 0;
  #newest: Promise<void> | undefined;

  static override styles = wantedStyle;

  override connectedCallback(): void {
    super.connectedCallback();
    this.#subscription = this.longbox.onChanged("collection", () => void this.refresh());
    void this.refresh();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    void this.#subscription?.release();
  }

  /** Resolves when the newest answer is there, also to who asked before. */
  async refresh(): Promise<void> {
    const mine = this.#fetch();
    this.#newest = mine;
    await mine;
    if (this.#newest !== mine) await this.#newest;
  }

  async #fetch(): Promise<void> {
    const asked = ++this.#asked;
    try {
      const list = await this.longbox.list<WantedRow>(`/api/wanted?${queryOf(this.question)}`);
      if (asked !== this.#asked) return;
      const last = lastPage(list.total);
      if (this.question.page > last) {
        // The list has become shorter than where this page began.
        this.question = { ...this.question, page: last };
        return await this.#fetch();
      }
      this.list = list;
      this.problem = undefined;
    } catch (fault) {
      if (asked === this.#asked) this.problem = messageOf(fault);
    }
  }

  override render(): TemplateResult {
    return html`
      <h1>Wanted</h1>
      <collection-wanted-filters .question=${this.question} @ask=${(event: CustomEvent<Partial<Question>>) => this.#ask(event.detail)}></collection-wanted-filters>
      ${this.#body()}
    `;
  }

  #body(): TemplateResult {
    if (this.problem !== undefined) return html`<div class="notice" role="alert"><h2>The list could not be read</h2><p class="problem">${this.problem}</p><button @click=${() => this.refresh()}>Try again</button></div>`;
    const { list } = this;
    if (list === undefined) return html`<div class="waiting" role="status"><span class="hidden">One moment …</span><i></i><i></i><i></i></div>`;
    if (list.total === 0) return this.#nothing();
    return html`<p class="soft" role="status">${this.#total(list.total)}</p>
      ${repeat(grouped(list.items, this.question.sort), ({ key }) => key, (group) => this.#group(group))} ${this.#pages(list.total)}`;
  }

  #nothing(): TemplateResult {
    const { scope, followed, hideUnreleased, q } = this.question;
    const narrowed = followed || hideUnreleased || q.trim() !== "";
    const [heading, text] = narrowed
      ? ["Nothing fits", "No issue that is not owned fits what you asked for."]
      : scope === "wanted"
        ? ["Nothing is wanted", "Monitor a series, or pick single issues among the gaps, and they stand here until somebody has them."]
        : ["There are no gaps", "Every issue that is known is owned. What is missing is known once series are matched with their details."];
    return html`<div class="notice" role="status"><h2>${heading}</h2><p class="soft">${text}</p></div>`;
  }

  #group(group: Group): TemplateResult {
    const heading = group.seriesId === undefined ? group.heading : html`<a href="/series/${group.seriesId}" @click=${(event: MouseEvent) => this.#go(event)}>${group.heading}</a>`;
    return html`<section>
      <h2>${heading}</h2>
      <ul>${repeat(group.rows, (row) => row.cvIssueId, (row) => html`<li><collection-wanted-row .longbox=${this.longbox} .row=${row} ?named=${group.seriesId === undefined} @choose=${(event: CustomEvent<Wish>) => this.#choose(row, event.detail)}></collection-wanted-row></li>`)}</ul>
    </section>`;
  }

  #total(total: number): string {
    const issues = `${total.toLocaleString()} ${total === 1 ? "issue" : "issues"}`;
    return this.question.scope === "wanted" ? `${issues} wanted` : `${issues} missing`;
  }

  #pages(total: number): TemplateResult | typeof nothing {
    const { page } = this.question;
    const last = lastPage(total);
    if (last === 0) return nothing;
    return html`<p class="pages"><button ?disabled=${page === 0} @click=${() => this.#turn(page - 1)}>Previous</button><span class="soft">Page ${page + 1} of ${last + 1}</span><button ?disabled=${page >= last} @click=${() => this.#turn(page + 1)}>Next</button></p>`;
  }

  /** Another question begins at its first page. */
  #ask(change: Partial<Question>): void {
    this.question = { ...this.question, page: 0, ...change };
    void this.refresh();
  }

  #turn(page: number): void {
    this.#ask({ page });
    this.scrollIntoView({ block: "start" });
  }

  /** A row that went away hands the keyboard on to the one that took its place. */
  async #choose(row: WantedRow, wish: Wish): Promise<void> {
    const at = this.list?.items.indexOf(row) ?? 0;
    try {
      await this.longbox.api(`/api/collection/${row.seriesId}/wanted`, { method: "POST", body: { cvIssueIds: [row.cvIssueId], ...wish } });
    } catch (fault) {
      return this.longbox.notify(messageOf(fault), { level: "danger" });
    }
    await this.refresh();
    await this.updateComplete;
    const rows = [...this.renderRoot.querySelectorAll("collection-wanted-row")];
    if (rows.some((shown) => shown.row.cvIssueId === row.cvIssueId)) return;
    this.longbox.notify(`${row.series} ${issueNumber(row.number)} is not wanted any more.`);
    (rows[Math.min(at, rows.length - 1)] ?? this.renderRoot.querySelector("collection-wanted-filters"))?.focus();
  }

  #go(event: MouseEvent): void {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    this.longbox.navigate((event.currentTarget as HTMLAnchorElement).pathname);
  }
}

/** Pages count from 0. */
function lastPage(total: number): number {
  return Math.max(0, Math.ceil(total / rowsAtOnce) - 1);
}

function queryOf({ scope, sort, followed, hideUnreleased, q, page }: Question): URLSearchParams {
  const query = new URLSearchParams({ scope, sort, limit: String(rowsAtOnce), offset: String(page * rowsAtOnce) });
  if (followed) query.set("followed", "1");
  if (hideUnreleased) query.set("hideUnreleased", "1");
  if (q.trim() !== "") query.set("q", q.trim());
  return query;
}
