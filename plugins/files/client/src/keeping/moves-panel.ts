import { Action, count, element, fromNow, LongboxElement, problem, Resource } from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import type { MoveBatch } from "@longbox/files/api";
import { style } from "../style.js";
import { undo } from "../undoing.js";

const titles: Readonly<Record<string, string>> = {
  refile: "Renamed",
  import: "Imported",
  cleanup: "To the trash",
  undo: "Put back",
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
        return html`<p class="soft">
          No file has been moved yet. Whatever Longbox renames, imports or takes away is noted here and can be put back.
        </p>`;
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
          >${batch.state === "undone" ? html`<span class="tag">Undone</span>` : batch.state === "running" ? html`<span class="tag busy">Running</span>` : nothing}
          ${canUndo ? html`<button ?disabled=${this.#action.busy} aria-label="Undo: ${title}, ${count(batch.moves, "file")}, batch ${batch.id}" @click=${() => this.#undo(batch)}>Undo</button>` : nothing}</span
        >
      </div>
      <p class="label">
        ${count(batch.moves, "file")} · <time datetime=${batch.at} title=${batch.at}>${fromNow(batch.at)}</time>
      </p>
      ${this.undoing === batch.id ? problem(this.#action.problem) : nothing}
    </li>`;
  }

  #undo(batch: MoveBatch): Promise<boolean> {
    this.undoing = batch.id;
    return this.#action.run(async () => this.longbox.notify(await undo(this.longbox, batch.id), { level: "success" }));
  }
}
