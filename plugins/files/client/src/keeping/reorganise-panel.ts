import { Action, element, failure, LongboxElement, notice, t, waiting } from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import "../plan.js";
import "../running.js";
import type { RefileStep, RunningState } from "@longbox/files/api";
import { style } from "../style.js";

/** The whole library's files and their places: the plan, and carrying it out in the background. */
@element("files-reorganise")
export class FilesReorganise extends LongboxElement {
  static override styles = style;
  @state() private plan: readonly RefileStep[] | undefined;
  @state() private isRunning = false;
  readonly #action = new Action(this);

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#look();
  }

  override render(): TemplateResult {
    const { problem } = this.#action;
    return html`<div class="stack">
      <p class="soft">${t("reorganisePanel.bringsEveryFileOf")}</p>
      <files-running
        .longbox=${this.longbox}
        of="/api/library/refile-status"
        domain="import"
        label=${t("reorganisePanel.movingFiles")}
        @state=${(event: CustomEvent<RunningState>) => this.#heard(event.detail)}
      ></files-running>
      ${problem === undefined ? nothing : failure(problem, () => void this.#look())}
      ${this.isRunning ? nothing : this.#shown()}
    </div>`;
  }

  #shown(): TemplateResult | typeof nothing {
    const { busy } = this.#action;
    if (this.plan === undefined) return busy ? waiting(t("reorganisePanel.planning")) : nothing;
    if (this.plan.length === 0) return notice({ drawing: "box", heading: t("reorganisePanel.theLibraryHasNo") });
    const moving = this.plan.filter(({ status }) => status === "move").length;
    return html`<div class="row spread">
        <p role="status">
          ${moving === 0 ? t("reorganisePanel.noFileHasTo") : t("reorganisePanel.filesWouldMove", { moving })}
        </p>
        <span class="row"
          ><button ?disabled=${busy} @click=${() => this.#look()}>${t("reorganisePanel.planAgain")}</button
          >${moving === 0 ? nothing : html`<button class="primary" ?disabled=${busy} @click=${() => this.#carryOut()}>${t("reorganisePanel.moveFiles", { moving })}</button>`}</span
        >
      </div>
      <files-plan .steps=${this.plan}></files-plan>`;
  }

  #look(): Promise<boolean> {
    return this.#action.run(async () => {
      this.plan = (await this.longbox.api<{ plan: readonly RefileStep[] }>("/api/library/refile-plan")).plan;
    });
  }

  async #carryOut(): Promise<void> {
    this.isRunning = true;
    if (!(await this.#action.run(() => this.post("/api/library/refile")))) this.isRunning = false;
  }

  /** Once everything has been moved, the plan says what is left. */
  #heard({ running }: RunningState): void {
    const wasRunning = this.isRunning;
    this.isRunning = running;
    if (wasRunning && !running) void this.#look();
  }
}
