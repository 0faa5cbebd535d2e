import { Action, bytes, element, LongboxElement, notice, problem, Resource, t } from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import type { Trash } from "@longbox/files/api";
import { style } from "../style.js";

/** What the trash of the libraries holds, and emptying it, after a second question. */
@element("files-trash")
export class FilesTrash extends LongboxElement {
  static override styles = style;
  @state() private isAsking = false;
  readonly #trash = new Resource<Trash>(this, { path: "/api/library/trash", domains: ["import", "collection"] });
  readonly #action = new Action(this, { after: () => this.#trash.refresh() });

  override render(): unknown {
    return this.#trash.render((trash) => this.#card(trash));
  }

  #card({ files, bytes: size }: Trash): TemplateResult {
    if (files === 0)
      return notice({
        drawing: "box",
        heading: t("trashPanel.theTrashIsEmpty"),
        text: t("trashPanel.copiesThatWereTaken"),
      });
    return html`<div class="card">
      <div class="row spread">
        <h2>${t("trashPanel.files", { files })}, ${bytes(size)}</h2>
        ${!this.isAsking && this.longbox.may("system.jobs") ? html`<button ?disabled=${this.#action.busy} @click=${() => (this.isAsking = true)}>${t("trashPanel.emptyTheTrash")}</button>` : nothing}
      </div>
      <p class="soft">${t("trashPanel.copiesThatWereTaken")}</p>
      ${this.isAsking ? this.#question(files) : nothing} ${problem(this.#action.problem)}
    </div>`;
  }

  #question(files: number): TemplateResult {
    const { busy } = this.#action;
    return html`<div class="row spread" role="group" aria-label=${t("trashPanel.emptyTheTrash2")}>
      <strong>${t("trashPanel.deleteFilesForEver", { files })}</strong>
      <span class="row"
        ><button ?disabled=${busy} @click=${() => (this.isAsking = false)}>
          ${t("trashPanel.keepThem", { files })}</button
        ><button class="danger" ?disabled=${busy} @click=${() => this.#empty()}>
          ${t("trashPanel.deleteForEver")}
        </button></span
      >
    </div>`;
  }

  async #empty(): Promise<void> {
    await this.#action.run(async () => {
      const { files } = await this.post<Trash>("/api/library/trash/empty");
      this.longbox.notify(t("trashPanel.filesAreGone", { files }), { level: "success" });
    });
    this.isAsking = false;
  }
}
