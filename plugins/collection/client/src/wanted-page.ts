import type { ClientListPage } from "@longbox/sdk/client";
import {
  Action,
  actionBar,
  element,
  LongboxElement,
  notice,
  number,
  pager,
  Resource,
  skeleton,
  t,
} from "@longbox/sdk/ui";
import { html, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { grouped, type Group } from "./groups.js";
import type { WantedRow } from "@longbox/collection/api";
import type { Question } from "./question.js";
import { wantedStyle } from "./wanted-style.js";
import "./wanted-filters.js";
import type { Choice } from "./wanted-row.js";
import "./wanted-row.js";

const rowsAtOnce = 100;

/** `/wanted`: the issues that are not owned, and why they are wanted. */
@element("collection-wanted-page")
export class WantedPage extends LongboxElement {
  static override styles = wantedStyle;
  @state() private question: Question = {
    scope: "wanted",
    sort: "series",
    followed: false,
    hideUnreleased: false,
    q: "",
    page: 0,
  };
  readonly #list = new Resource<ClientListPage<WantedRow>>(this, {
    path: () => `/api/wanted?${queryOf(this.question)}`,
    fetch: (path, signal) => this.longbox.list<WantedRow>(path, { signal }),
    domains: ["collection"],
    keep: true,
    arrived: ({ total }) => this.#arrived(total),
  });
  readonly #action = new Action(this, { notify: true });

  override render(): TemplateResult {
    return html`
      <h1>${t("wantedPage.wanted")}</h1>
      <collection-wanted-filters
        .question=${this.question}
        @ask=${(event: CustomEvent<Partial<Question>>) => this.#ask(event.detail)}
      ></collection-wanted-filters>
      ${this.#body()}
    `;
  }

  #body(): unknown {
    const { message } = this.#list;
    if (message !== undefined)
      return notice({
        drawing: "torn",
        heading: t("wantedPage.theListCouldNot"),
        text: message,
        isProblem: true,
        action: { label: t("wantedPage.tryAgain"), run: () => void this.#list.refresh() },
      });
    return this.#list.render((list) => (list.total === 0 ? this.#nothing() : this.#rows(list)), {
      waiting: skeleton(),
    });
  }

  #rows({ items, total }: ClientListPage<WantedRow>): TemplateResult {
    const { page, scope, sort } = this.question;
    const last = lastPage(total);
    return html`<div class="found">
        <p class="soft" role="status">
          ${number(total)} ${scope === "wanted" ? t("wantedPage.wanted2") : t("wantedPage.missing")}
        </p>
        ${actionBar(this.longbox.actions({ kind: "wanted", items: [{ ...this.question, total }] }), { label: t("wantedPage.moreForThisList") })}
      </div>
      ${repeat(
        grouped(items, sort),
        ({ key }) => key,
        (group) => this.#group(group),
      )}
      ${pager({ page, hasNext: page < last, turn: (to) => this.#turn(to), text: t("wantedPage.pageOf", { page: page + 1, last: last + 1 }) })}`;
  }

  #nothing(): TemplateResult {
    const { scope, followed, hideUnreleased, q } = this.question;
    if (followed || hideUnreleased || q.trim() !== "")
      return notice({ drawing: "search", heading: t("wantedPage.noMatches"), text: t("wantedPage.nothingInThisList") });
    if (scope === "wanted")
      return notice({
        drawing: "box",
        heading: t("wantedPage.nothingIsWanted"),
        text: t("wantedPage.monitorASeriesOr"),
      });
    return notice({
      drawing: "box",
      heading: t("wantedPage.thereAreNoGaps"),
      text: t("wantedPage.everythingThatIsKnown"),
    });
  }

  #group(group: Group): TemplateResult {
    const heading =
      group.seriesId === undefined ? group.heading : html`<a href="/series/${group.seriesId}">${group.heading}</a>`;
    return html`<section>
      <h2>${heading}</h2>
      <ul>
        ${repeat(
          group.rows,
          (row) => row.cvIssueId,
          (row) =>
            html`<li>
              <collection-wanted-row
                .longbox=${this.longbox}
                .row=${row}
                ?named=${group.seriesId === undefined}
                @choose=${(event: CustomEvent<Choice>) => this.#choose(row, event.detail)}
              ></collection-wanted-row>
            </li>`,
        )}
      </ul>
    </section>`;
  }

  /** The list may have become shorter than where this page began. */
  #arrived(total: number): void {
    const last = lastPage(total);
    if (this.question.page > last) this.question = { ...this.question, page: last };
  }

  /** Another question begins at its first page. */
  #ask(change: Partial<Question>): void {
    this.question = { ...this.question, page: 0, ...change };
  }

  #turn(page: number): void {
    this.#ask({ page });
    this.scrollIntoView({ block: "start" });
  }

  /** A row that went away hands the keyboard on to the one that took its place. */
  async #choose(row: WantedRow, choice: Choice): Promise<void> {
    const at = this.#list.value?.items.indexOf(row) ?? 0;
    if (
      !(await this.#action.run(() =>
        this.post(`/api/collection/${row.seriesId}/wanted`, { cvIssueIds: [row.cvIssueId], ...choice }),
      ))
    )
      return;
    await this.#list.refresh();
    await this.updateComplete;
    await this.#list.settled;
    await this.updateComplete;
    const rows = [...this.renderRoot.querySelectorAll("collection-wanted-row")];
    if (rows.some((shown) => shown.row.cvIssueId === row.cvIssueId)) return;
    this.longbox.notify(t("wantedPage.isNoLongerWanted", { full: row.label.full }));
    (rows[Math.min(at, rows.length - 1)] ?? this.renderRoot.querySelector("collection-wanted-filters"))?.focus();
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
