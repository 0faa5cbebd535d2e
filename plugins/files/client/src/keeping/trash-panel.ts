import { html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { Panel } from "../panel.js";
import type { Trash } from "../shapes.js";
import { style } from "../style.js";
import { bytes, count } from "../wording.js";

/** What the trash of the libraries holds, and emptying it, after a second question. */
@customElement("files-trash")
export class FilesTrash extends Panel<Trash> {
  static override styles = style;
  @state() private isAsking = false;
  protected readonly domains = ["import", "collection"];

  protected path(): string {
    return "/api/library/trash";
  }

  protected show({ files, bytes: size }: Trash): TemplateResult {
    return html`<div class="card">
      <div class="line">
        <h2>${files === 0 ? "The trash is empty" : `${count(files, "file")}, ${bytes(size)}`}</h2>
        ${files > 0 && !this.isAsking && this.longbox.may("system.jobs") ? html`<button ?disabled=${this.busy} @click=${() => (this.isAsking = true)}>Empty the trash</button>` : nothing}
      </div>
      <p class="soft">Copies that were taken away lie in the folder .longbox-trash of their library. Until the trash is emptied they can be put back under “Moves”.</p>
      ${this.isAsking && files > 0 ? this.#question(files) : nothing} ${this.problem === undefined ? nothing : html`<p class="problem" role="alert">${this.problem}</p>`}
    </div>`;
  }

  #question(files: number): TemplateResult {
    return html`<div class="line" role="group" aria-label="Empty the trash?">
      <strong>Delete ${count(files, "file")} for ever?</strong>
      <span class="line"><button ?disabled=${this.busy} @click=${() => (this.isAsking = false)}>Keep ${files === 1 ? "it" : "them"}</button><button class="danger" ?disabled=${this.busy} @click=${() => this.#empty()}>Delete for ever</button></span>
    </div>`;
  }

  async #empty(): Promise<void> {
    await this.attempt(async () => {
      const { files } = await this.post<Trash>("/api/library/trash/empty");
      this.longbox.notify(`${count(files, "file")} ${files === 1 ? "is" : "are"} gone.`, { level: "success" });
    });
    this.isAsking = false;
  }
}
