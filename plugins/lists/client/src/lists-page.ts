import type { ClientListPage } from "@longbox/sdk/client";
import { Action, element, LongboxElement, notice, Resource, skeleton, submitted, t } from "@longbox/sdk/ui";
import { css, html, nothing, type TemplateResult } from "lit";
import { query, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import "./import-dialog.js";
import type { ListsImportDialog } from "./import-dialog.js";
import "./list-card.js";
import type { ListRow } from "@longbox/lists/api";
import { pageStyle } from "./style.js";

/**
 * `/lists`: the user's own reading lists, and public ones of others. A list file can be dropped anywhere on the page.
 */
@element("lists-page")
export class ListsPage extends LongboxElement {
  @state() private dropping = false;
  @query("lists-import-dialog") private importing!: ListsImportDialog;
  readonly #lists = new Resource<ClientListPage<ListRow>>(this, {
    path: "/api/lists?limit=500",
    domains: ["lists", "reader"],
    fetch: (path, signal) => this.longbox.list<ListRow>(path, { signal }),
  });
  readonly #making = new Action(this, { notify: true });

  static override styles = [
    pageStyle,
    css`
      :host {
        min-height: 70vh;
      }
      .page-head {
        margin: 0;
      }
      .page-head form {
        flex: 0 1 32rem;
        flex-wrap: nowrap;
      }
      .page-head .field {
        flex: 1 1 8rem;
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
      .dropping {
        outline: 3px dashed var(--lb-accent);
        outline-offset: var(--lb-space-3);
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    this.addEventListener("dragover", this.#over);
    this.addEventListener("dragleave", this.#leave);
    this.addEventListener("drop", this.#drop);
  }

  override render(): TemplateResult {
    return html`<div class="page ${this.dropping ? "dropping" : ""}">
        <div class="page-head">
          <h1>${t("listsPage.readingLists")}</h1>
          <form @submit=${this.#make}>
            <label class="field"
              >${t("listsPage.newList")}<input
                name="name"
                autocomplete="off"
                maxlength="200"
                required
                placeholder=${t("listsPage.nameOfTheList")}
            /></label>
            <button class="primary" ?disabled=${this.#making.busy}>${t("listsPage.make")}</button>
            <button type="button" @click=${() => this.importing.show()}>${t("listsPage.import")}</button>
          </form>
        </div>
        ${this.#lists.render((lists) => this.#all(lists), {
          waiting: skeleton(),
          failed: (text, run) =>
            notice({
              drawing: "torn",
              heading: t("listsPage.theListsCouldNot"),
              text,
              isProblem: true,
              action: { label: t("listsPage.tryAgain"), run },
            }),
        })}
      </div>
      <lists-import-dialog .longbox=${this.longbox}></lists-import-dialog>`;
  }

  #all({ items, total }: ClientListPage<ListRow>): TemplateResult {
    if (total === 0)
      return notice({
        drawing: "box",
        heading: t("listsPage.noListsYet"),
        text: t("listsPage.aListIsA"),
      });
    return html`${this.#section(
      t("listsPage.yours"),
      items.filter((list) => list.mine),
    )}
    ${this.#section(
      t("listsPage.sharedByOthers"),
      items.filter((list) => !list.mine),
    )}
    ${items.length < total ? html`<p class="soft">${t("listsPage.moreAreNotShown", { total: total - items.length })}</p>` : nothing}`;
  }

  #section(heading: string, lists: readonly ListRow[]): TemplateResult | typeof nothing {
    if (lists.length === 0) return nothing;
    return html`<section>
      <h2>${heading}</h2>
      <ul>
        ${repeat(
          lists,
          (list) => list.id,
          (list) => html`<li><lists-card .longbox=${this.longbox} .list=${list}></lists-card></li>`,
        )}
      </ul>
    </section>`;
  }

  readonly #make = (event: SubmitEvent): void => {
    const { name } = submitted(event);
    void this.#making.run(async () =>
      this.longbox.navigate(`/lists/${(await this.post<ListRow>("/api/lists", { name })).id}`),
    );
  };

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
    void this.importing.show(file);
  };
}
