import { Action, element, LongboxElement, problem, t } from "@longbox/sdk/ui";
import { css, html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import type { Redundant } from "@longbox/files/api";
import { style } from "../style.js";
import { undo } from "../undoing.js";
import { baseName } from "../wording.js";

const says: Readonly<Record<Redundant["reason"], string>> = {
  "same-bytes": t("copies.theVerySameFile"),
  "same-pages": t("copies.theSamePagesAs"),
};

/** Takes copies away that hold nothing new: which ones first, then the trash, then a way back. */
@element("files-series-copies")
export class FilesSeriesCopies extends LongboxElement {
  @property({ type: Number }) series = 0;
  @state() private copies: readonly Redundant[] | undefined;
  @state() private isDone = false;
  @state() private batchId: number | undefined;
  @state() private back = "";
  readonly #action = new Action(this);

  static override styles = [
    style,
    css`
      li {
        font-size: var(--lb-text-s);
        overflow-wrap: anywhere;
      }
      .name {
        font: var(--lb-text-xs) / 1.5 var(--lb-font-mono);
      }
    `,
  ];

  override render(): TemplateResult {
    return html`<section class="card" aria-labelledby="copies">
      <div class="row spread">
        <h3 id="copies">${t("copies.copies")}</h3>
        <button ?disabled=${this.#action.busy} @click=${() => this.#look()}>${t("copies.lookForCopies")}</button>
      </div>
      <p class="soft">${t("copies.findsFilesThatHold")}</p>
      ${problem(this.#action.problem)}
      <div role="status">${this.#says()}</div>
      ${
        this.copies && this.copies.length > 0
          ? html`<ul>
              ${this.copies.map(({ path, kept, reason }) => html`<li><span class="name">${baseName(path)}</span> <span class="soft">${says[reason]}</span> <span class="name">${baseName(kept)}</span></li>`)}
            </ul>`
          : nothing
      }
      ${this.#buttons()}
    </section>`;
  }

  #says(): TemplateResult | typeof nothing {
    if (this.back !== "") return html`<p>${this.back}</p>`;
    if (this.#action.busy) return html`<p>${t("copies.comparing")}</p>`;
    if (!this.copies) return nothing;
    if (this.isDone) return html`<p>${t("copies.copiesWentToThe", { copies: this.copies.length })}</p>`;
    return html`<p>
      ${this.copies.length === 0 ? t("copies.noFileIsRedundant") : t("copies.filesAreRedundant", { copies: this.copies.length })}
    </p>`;
  }

  #buttons(): TemplateResult | typeof nothing {
    if (this.batchId !== undefined && this.longbox.may("system.jobs"))
      return html`<div class="row end">
        <button ?disabled=${this.#action.busy} @click=${() => this.#undo(this.batchId!)}>${t("copies.undo")}</button>
      </div>`;
    if (this.isDone || !this.copies || this.copies.length === 0) return nothing;
    return html`<div class="row end">
      <button class="primary" ?disabled=${this.#action.busy} @click=${() => this.#carryOut()}>
        ${t("copies.moveCopiesToThe", { copies: this.copies.length })}
      </button>
    </div>`;
  }

  #look(): Promise<boolean> {
    return this.#action.run(async () => {
      this.back = "";
      const { removed } = await this.#cleanup(true);
      Object.assign(this, { copies: removed, isDone: false, batchId: undefined });
    });
  }

  #carryOut(): Promise<boolean> {
    return this.#action.run(async () => {
      const { removed: copies, batchId } = await this.#cleanup(false);
      Object.assign(this, { copies, batchId, isDone: true });
    });
  }

  #undo(batchId: number): Promise<boolean> {
    return this.#action.run(async () => {
      const back = await undo(this.longbox, batchId);
      if (back === undefined) return;
      Object.assign(this, { copies: undefined, isDone: false, batchId: undefined, back });
    });
  }

  #cleanup(dryRun: boolean): Promise<{ removed: readonly Redundant[]; batchId?: number }> {
    return this.post(`/api/collection/${this.series}/cleanup`, { dryRun });
  }
}
