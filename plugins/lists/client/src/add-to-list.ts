import { Action, element, LongboxElement, number, problem, Resource, submitted, t } from "@longbox/sdk/ui";
import { css, html, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import type { SeriesDocument } from "@longbox/collection/api";
import type { ListRow } from "@longbox/lists/api";
import type { ClientSubjects } from "@longbox/sdk/client";
import { dialogStyle } from "./style.js";

/** How many issues the server accepts in one request. */
const mostIssues = 5_000;

/** The dialog that adds issues, or all issues of series, to one of the user's lists. */
@element("lists-add")
export class ListsAdd extends LongboxElement<Partial<ClientSubjects>> {
  @state() private ids: readonly number[] = [];
  readonly #lists = new Resource<readonly ListRow[]>(this, { path: "/api/lists?limit=500", domains: ["lists"] });
  readonly #action = new Action(this);

  static override styles = [
    dialogStyle,
    css`
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

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#action.run(async () => {
      this.ids = await this.#issueIds();
    });
  }

  override render(): TemplateResult {
    if (this.ids.length > mostIssues)
      return html`<p class="problem">${t("addToList.atMostItemsCan", { mostIssues })}</p>`;
    return html`<p class="soft">${t("addToList.items", { ids: this.ids.length })}</p>
      ${this.#lists.render((lists) => this.#choices(lists.filter(({ mine }) => mine)))}`;
  }

  #choices(lists: readonly ListRow[]): TemplateResult {
    const busy = this.#action.busy || this.ids.length === 0;
    return html`${problem(this.#action.problem)}
      <ul>
        ${lists.map(
          (list) =>
            html`<li>
              <button ?disabled=${busy} @click=${() => this.#add(list)}>
                <span>${list.name}</span><span class="facts">${number(list.items)}</span>
              </button>
            </li>`,
        )}
      </ul>
      <form @submit=${this.#create}>
        <label class="field"
          >${t("addToList.newList")}<input name="name" required maxlength="200" autocomplete="off"
        /></label>
        <button class="primary" ?disabled=${busy}>${t("addToList.createAndAdd")}</button>
      </form>`;
  }

  async #issueIds(): Promise<readonly number[]> {
    const { kind, items = [] } = this.subject;
    if (kind !== "series") return items.map(({ cvIssueId }) => Number(cvIssueId));
    const series = await Promise.all(
      items.map(({ id }) => this.longbox.api<SeriesDocument>(`/api/collection/${Number(id)}`)),
    );
    return series.flatMap(({ issues }) => issues.map(({ cvIssueId }) => cvIssueId));
  }

  #add(list: ListRow): Promise<boolean> {
    return this.#action.run(async () => {
      const { added } = await this.post<{ added: number }>(`/api/lists/${list.id}/items`, { cvIssueIds: this.ids });
      this.#done(
        added === 0
          ? t("addToList.alreadyContainsIt", { name: list.name })
          : t("addToList.itemsWereAddedTo", { added, name: list.name }),
      );
    });
  }

  readonly #create = (event: SubmitEvent): void => {
    const { name } = submitted(event);
    void this.#action.run(async () => {
      const list = await this.post<ListRow>("/api/lists", { name, cvIssueIds: this.ids });
      this.#done(t("addToList.itemsWereAddedTo2", { ids: this.ids.length, name: list.name }));
    });
  };

  #done(message: string): void {
    this.dispatchEvent(new Event("done"));
    this.longbox.notify(message, { level: "success" });
  }
}
