import { html, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { Doing } from "../doing.js";
import "../plan.js";
import type { RefileStep } from "../shapes.js";
import { style } from "../style.js";
import { undo } from "../undoing.js";
import { count } from "../wording.js";

/** Brings the files of a series to their names: the plan first, then the moves, then a way back. */
@customElement("files-series-naming")
export class FilesSeriesNaming extends Doing {
  static override styles = style;
  @property({ type: Number }) series = 0;
  @state() private plan: readonly RefileStep[] | undefined;
  @state() private isDone = false;
  @state() private batchId: number | undefined;
  @state() private back = "";

  override render(): TemplateResult {
    return html`<section class="card" aria-labelledby="naming">
      <div class="line">
        <h3 id="naming">Names and places</h3>
        <button ?disabled=${this.busy} @click=${() => this.#look()}>${this.plan ? "Plan anew" : "Show the plan"}</button>
      </div>
      <p class="soft">Brings every file to the folder and name that the patterns give it. Nothing is ever overwritten.</p>
      ${this.problem === undefined ? nothing : html`<p class="problem" role="alert">${this.problem}</p>`}
      <div role="status">${this.#says()}</div>
      ${this.plan && this.plan.length > 0 ? html`<files-plan .steps=${this.plan} ?done=${this.isDone}></files-plan>` : nothing} ${this.#buttons()}
    </section>`;
  }

  #says(): TemplateResult | typeof nothing {
    if (this.back !== "") return html`<p>${this.back}</p>`;
    if (!this.plan) return nothing;
    const moving = this.#moving;
    if (this.isDone) return html`<p>${count(moving, "file")} moved.</p>`;
    if (this.plan.length === 0) return html`<p>The series has no files.</p>`;
    return html`<p>${moving === 0 ? "No file has to move." : `${count(moving, "file")} would move.`}</p>`;
  }

  #buttons(): TemplateResult | typeof nothing {
    if (this.batchId !== undefined && this.longbox.may("system.jobs")) return html`<div class="line end"><button ?disabled=${this.busy} @click=${() => this.#undo(this.batchId!)}>Undo</button></div>`;
    if (this.isDone || this.#moving === 0) return nothing;
    return html`<div class="line end"><button class="strong" ?disabled=${this.busy} @click=${() => this.#carryOut()}>Rename ${count(this.#moving, "file")}</button></div>`;
  }

  get #moving(): number {
    return this.plan?.filter(({ status }) => status === "move").length ?? 0;
  }

  #look(): Promise<void> {
    return this.attempt(async () => {
      const { plan } = await this.#refile(true);
      Object.assign(this, { plan, isDone: false, batchId: undefined, back: "" });
    });
  }

  #carryOut(): Promise<void> {
    return this.attempt(async () => {
      Object.assign(this, { ...(await this.#refile(false)), isDone: true });
    });
  }

  #undo(batchId: number): Promise<void> {
    return this.attempt(async () => {
      const back = await undo(this.longbox, batchId);
      Object.assign(this, { plan: undefined, isDone: false, batchId: undefined, back });
    });
  }

  #refile(dryRun: boolean): Promise<{ plan: readonly RefileStep[]; batchId?: number }> {
    return this.post(`/api/collection/${this.series}/refile`, { dryRun });
  }
}
