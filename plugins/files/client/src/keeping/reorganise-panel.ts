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
  /** The server has said how far the plan is. */
  @state() private isPlanKnown = false;
  #planning: AbortController | undefined;
  readonly #action = new Action(this);

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#look();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#planning?.abort();
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
    const { busy, problem } = this.#action;
    if (this.#planning !== undefined) return this.#underWay();
    if (this.plan === undefined) return busy || problem !== undefined ? nothing : this.#given();
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

  /** How far the plan is, in libraries where that takes a while. */
  #underWay(): TemplateResult {
    return html`${this.isPlanKnown ? nothing : waiting(t("reorganisePanel.planning"))}
      <files-running
        .longbox=${this.longbox}
        of="/api/library/refile-plan/status"
        domain="import"
        label=${t("reorganisePanel.makingThePlan")}
        @state=${({ detail }: CustomEvent<RunningState>) => (this.isPlanKnown = detail.running)}
      ></files-running>
      <div class="row">
        <button @click=${() => this.#planning?.abort()}>${t("reorganisePanel.cancel")}</button>
      </div>`;
  }

  /** What stands here after a plan was cancelled. */
  #given(): TemplateResult {
    return html`<div class="row spread">
      <p role="status">${t("reorganisePanel.thePlanWasCancelled")}</p>
      <button @click=${() => this.#look()}>${t("reorganisePanel.planAgain")}</button>
    </div>`;
  }

  #look(): Promise<boolean> {
    this.#planning?.abort();
    const planning = (this.#planning = new AbortController());
    this.plan = undefined;
    this.isPlanKnown = false;
    return this.#action.run(() => this.#fetch(planning));
  }

  async #fetch(planning: AbortController): Promise<void> {
    const { signal } = planning;
    try {
      const { plan } = await this.longbox.api<{ plan: readonly RefileStep[] }>("/api/library/refile-plan", { signal });
      if (this.#planning === planning) this.plan = plan;
    } catch (thrown) {
      if (!signal.aborted) throw thrown;
    } finally {
      if (this.#planning === planning) this.#planning = undefined;
    }
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
