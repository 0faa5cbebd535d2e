import type { Job, Tool } from "@longbox/operations/api";
import { Action, element, LongboxElement, problem, progress, Resource, t } from "@longbox/sdk/ui";
import { html, type PropertyValues, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import { style } from "../style.js";

/**
 * Shows what a tool would do, from a trial run, before it does it. Dispatches `done` once it was started, or is not
 * wanted.
 */
@element("operations-tool-plan")
export class ToolPlan extends LongboxElement<{ readonly tool?: Tool }> {
  static override styles = style;
  @state() private jobId: number | undefined;
  readonly #trial = new Resource<Job>(this, {
    path: () => (this.jobId === undefined ? undefined : `/api/jobs/${this.jobId}`),
    domains: ["jobs"],
    keep: true,
  });
  readonly #beginning = new Action(this);
  readonly #running = new Action(this);

  override firstUpdated(changed: PropertyValues): void {
    super.firstUpdated(changed);
    void this.#beginning.run(async () => {
      const { jobId } = (await this.#post(true)) as { jobId: number };
      // Where it was closed before the answer came, the trial is not needed.
      if (this.isConnected) this.jobId = jobId;
      else await this.post(`/api/jobs/${jobId}/cancel`);
    });
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    // The trial may be under way though nothing of it has been seen yet.
    if (this.jobId !== undefined && (!this.#trial.value || isUnderWay(this.#trial.value)))
      void this.post(`/api/jobs/${this.jobId}/cancel`).catch(() => undefined);
  }

  override render(): TemplateResult {
    const trial = this.#trial.value;
    return html`<div class="stack">
      <div aria-live="polite">${trial && !isUnderWay(trial) ? this.#found(trial) : this.#looking(trial)}</div>
      ${problem(this.#beginning.problem ?? this.#trial.message ?? this.#running.problem)}
      <div class="row end">
        <button type="button" @click=${() => this.#done()}>${t("toolPlan.cancel")}</button>
        <button
          type="button"
          class="primary"
          ?disabled=${trial?.state !== "done" || this.#running.busy}
          @click=${() => void this.#run()}
        >
          ${t("toolPlan.run")}
        </button>
      </div>
    </div>`;
  }

  #looking(trial: Job | undefined): TemplateResult | string {
    if (this.#beginning.problem !== undefined) return "";
    return progress({ label: t("toolPlan.looking"), done: trial?.done ?? 0, total: trial?.total ?? 0 });
  }

  #found({ state: ended, message, error }: Job): TemplateResult {
    if (ended !== "done") return html`<p class="problem">${error ?? t("toolPlan.theTrialDidNot")}</p>`;
    return html`${message === undefined ? "" : html`<p class="plan" tabindex="0" role="group" aria-label=${t("toolPlan.whatItWouldDo")}>${message}</p>`}
      <p class="soft">${t("toolPlan.nothingWasChanged")}</p>`;
  }

  async #run(): Promise<void> {
    if (await this.#running.run(() => this.#post(false))) this.#done(true);
  }

  #post(dryRun: boolean): Promise<unknown> {
    return this.post(`/api/tools/${encodeURIComponent(this.subject.tool?.id ?? "")}`, { dryRun });
  }

  #done(isStarted = false): void {
    this.dispatchEvent(new CustomEvent("done", { detail: isStarted }));
  }
}

function isUnderWay({ state: now }: Job): boolean {
  return now === "queued" || now === "running";
}
