import { Action, element, fromNow, LongboxElement, notice, problem, Resource, t } from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import type { MoveBatch } from "@longbox/files/api";
import { style } from "../style.js";
import { undo } from "../undoing.js";

const titles: Readonly<Record<string, string>> = {
  refile: t("movesPanel.renamed"),
  import: t("movesPanel.imported"),
  cleanup: t("movesPanel.toTheTrash"),
  undo: t("movesPanel.putBack"),
};

/** Every batch of files that was moved, newest first, with the way back. */
@element("files-moves")
export class FilesMoves extends LongboxElement {
  static override styles = style;
  @state() private undoing: number | undefined;
  readonly #batches = new Resource<readonly MoveBatch[]>(this, {
    path: "/api/library/moves",
    domains: ["import", "collection"],
  });
  readonly #action = new Action(this, { after: () => this.#batches.refresh() });

  override render(): unknown {
    return this.#batches.render((batches) => {
      if (batches.length === 0)
        return notice({
          drawing: "box",
          heading: t("movesPanel.noFileHasBeen"),
          text: t("movesPanel.whateverLongboxMoves"),
        });
      return html`<ul>
        ${repeat(
          batches,
          ({ id }) => id,
          (batch) => this.#card(batch),
        )}
      </ul>`;
    });
  }

  #card(batch: MoveBatch): TemplateResult {
    const title = titles[batch.what] ?? batch.what;
    const canUndo = batch.state === "done" && batch.moves > 0;
    return html`<li class="card">
      <div class="row spread">
        <h2>${title}</h2>
        <span class="row"
          >${batch.state === "undone" ? html`<span class="tag">${t("movesPanel.undone")}</span>` : batch.state === "running" ? html`<span class="tag busy">${t("movesPanel.running")}</span>` : nothing}
          ${canUndo ? html`<button ?disabled=${this.#action.busy} aria-label=${t("movesPanel.undoFilesBatch", { title, moves: batch.moves, id: String(batch.id) })} @click=${() => this.#undo(batch)}>${t("movesPanel.undo")}</button>` : nothing}</span
        >
      </div>
      <p class="label">
        ${t("movesPanel.files", { moves: batch.moves })} ·
        <time datetime=${batch.at} title=${batch.at}>${fromNow(batch.at)}</time>
      </p>
      ${this.undoing === batch.id ? problem(this.#action.problem) : nothing}
    </li>`;
  }

  #undo(batch: MoveBatch): Promise<boolean> {
    this.undoing = batch.id;
    return this.#action.run(async () => {
      const back = await undo(this.longbox, batch.id);
      if (back !== undefined) this.longbox.notify(back, { level: "success" });
    });
  }
}
