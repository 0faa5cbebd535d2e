import { html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { Doing } from "../doing.js";
import "../plan.js";
import "../running.js";
import type { RefileStep, RunningState } from "../shapes.js";
import { style } from "../style.js";
import { count } from "../wording.js";

/** The whole library's files and their places: the plan, and carrying it out in the background. */
@customElement("files-reorganise")
export class FilesReorganise extends Doing {
  static override styles = style;
  @state() private plan: readonly RefileStep[] | undefined;
  @state() private isRunning = false;

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#look();
  }

  override render(): TemplateResult {
    return html`<div class="stack">
      <p class="soft">Brings every file of every series to the folder and name that the patterns give it. Nothing is ever overwritten, and “Moves” has the way back.</p>
      <files-running .longbox=${this.longbox} of="/api/library/refile-status" domain="import" label="Moving files" @state=${(event: CustomEvent<RunningState | undefined>) => this.#heard(event.detail)}></files-running>
      ${this.problem === undefined ? nothing : html`<p class="problem" role="alert">${this.problem} <button @click=${() => this.#look()}>Try again</button></p>`} ${this.isRunning ? nothing : this.#shown()}
    </div>`;
  }

  #shown(): TemplateResult | typeof nothing {
    if (this.plan === undefined) return this.busy ? html`<p class="soft" role="status">Planning …</p>` : nothing;
    const moving = this.plan.filter(({ status }) => status === "move").length;
    return html`<div class="line">
        <p role="status">${this.plan.length === 0 ? "The library has no files yet." : moving === 0 ? "No file has to move." : `${count(moving, "file")} would move.`}</p>
        <span class="line"><button ?disabled=${this.busy} @click=${() => this.#look()}>Plan anew</button>${moving === 0 ? nothing : html`<button class="strong" ?disabled=${this.busy} @click=${() => this.#carryOut()}>Move ${count(moving, "file")}</button>`}</span>
      </div>
      ${this.plan.length === 0 ? nothing : html`<files-plan .steps=${this.plan}></files-plan>`}`;
  }

  #look(): Promise<void> {
    return this.attempt(async () => {
      this.plan = (await this.longbox.api<{ plan: readonly RefileStep[] }>("/api/library/refile-plan")).plan;
    });
  }

  async #carryOut(): Promise<void> {
    this.isRunning = true;
    await this.attempt(() => this.post("/api/library/refile"));
    if (this.problem !== undefined) this.isRunning = false;
  }

  /** Once everything has been moved, the plan says what is left. */
  #heard(state: RunningState | undefined): void {
    const wasRunning = this.isRunning;
    this.isRunning = state?.running ?? false;
    if (wasRunning && !this.isRunning) void this.#look();
  }
}
