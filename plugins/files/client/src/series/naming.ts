import { Action, element, LongboxElement, problem, t } from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import "../plan.js";
import type { RefileStep } from "@longbox/files/api";
import { style } from "../style.js";
import { undo } from "../undoing.js";

/** Brings the files of a series to their names: the plan first, then the moves, then a way back. */
@element("files-series-naming")
export class FilesSeriesNaming extends LongboxElement {
  static override styles = style;
  @property({ type: Number }) series = 0;
  @state() private plan: readonly RefileStep[] | undefined;
  @state() private isDone = false;
  @state() private batchId: number | undefined;
  @state() private back = "";
  readonly #action = new Action(this);

  override render(): TemplateResult {
    return html`<section class="card" aria-labelledby="naming">
      <div class="row spread">
        <h3 id="naming">${t("naming.namesAndPlaces")}</h3>
        <button ?disabled=${this.#action.busy} @click=${() => this.#look()}>
          ${this.plan ? t("naming.planAgain") : t("naming.showThePlan")}
        </button>
      </div>
      <p class="soft">${t("naming.bringsEveryFileTo")}</p>
      ${problem(this.#action.problem)}
      <div role="status">${this.#says()}</div>
      ${this.plan && this.plan.length > 0 ? html`<files-plan .steps=${this.plan} ?done=${this.isDone}></files-plan>` : nothing}
      ${this.#buttons()}
    </section>`;
  }

  #says(): TemplateResult | typeof nothing {
    if (this.back !== "") return html`<p>${this.back}</p>`;
    if (!this.plan) return nothing;
    const moving = this.#moving;
    if (this.isDone) return html`<p>${t("naming.filesMoved", { moving })}</p>`;
    if (this.plan.length === 0) return html`<p>${t("naming.theSeriesHasNo")}</p>`;
    return html`<p>${moving === 0 ? t("naming.noFileHasTo") : t("naming.filesWouldMove", { moving })}</p>`;
  }

  #buttons(): TemplateResult | typeof nothing {
    if (this.batchId !== undefined && this.longbox.may("system.jobs"))
      return html`<div class="row end">
        <button ?disabled=${this.#action.busy} @click=${() => this.#undo(this.batchId!)}>${t("naming.undo")}</button>
      </div>`;
    if (this.isDone || this.#moving === 0) return nothing;
    return html`<div class="row end">
      <button class="primary" ?disabled=${this.#action.busy} @click=${() => this.#carryOut()}>
        ${t("naming.renameFiles", { moving: this.#moving })}
      </button>
    </div>`;
  }

  get #moving(): number {
    return this.plan?.filter(({ status }) => status === "move").length ?? 0;
  }

  #look(): Promise<boolean> {
    return this.#action.run(async () => {
      const { plan } = await this.#refile(true);
      Object.assign(this, { plan, isDone: false, batchId: undefined, back: "" });
    });
  }

  #carryOut(): Promise<boolean> {
    return this.#action.run(async () => {
      Object.assign(this, { ...(await this.#refile(false)), isDone: true });
    });
  }

  #undo(batchId: number): Promise<boolean> {
    return this.#action.run(async () => {
      const back = await undo(this.longbox, batchId);
      if (back === undefined) return;
      Object.assign(this, { plan: undefined, isDone: false, batchId: undefined, back });
    });
  }

  async #refile(dryRun: boolean): Promise<{ plan: readonly RefileStep[]; batchId?: number }> {
    const { plan, ...rest } = await this.post<{ plan: readonly RefileStep[]; batchId?: number }>(
      `/api/collection/${this.series}/refile`,
      { dryRun },
    );
    const said = plan.map((step) => (step.error ? { ...step, error: this.longbox.said(step.error) } : step));
    return { ...rest, plan: said };
  }
}
