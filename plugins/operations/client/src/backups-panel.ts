import {
  Action,
  bytes,
  confirm,
  element,
  icon,
  LongboxElement,
  menuButton,
  moment,
  notice,
  problem,
  Resource,
  t,
} from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Job } from "@longbox/operations/api";
import "./copies-list.js";
import { style } from "./style.js";

interface Backup {
  readonly name: string;
  readonly createdAt: string;
  readonly sizeBytes: number;
}

/** Jobs that make a backup: by hand, and by the clock. */
const makingKinds = ["tool.backup", "schedule.operations.backup"];

/** The kept backups: made, restored and deleted here. */
@element("operations-backups")
export class BackupsPanel extends LongboxElement {
  static override styles = style;
  readonly #backups = new Resource<readonly Backup[]>(this, { path: "/api/backups", domains: ["jobs"] });
  readonly #jobs = new Resource<readonly Job[]>(this, { path: "/api/jobs?limit=50", domains: ["jobs"] });
  readonly #action = new Action(this, {
    notify: true,
    after: () => Promise.all([this.#jobs.refresh(), this.#backups.refresh()]),
  });

  override render(): TemplateResult {
    const making = this.#jobs.value?.find(({ kind }) => makingKinds.includes(kind));
    const isMaking = making?.state === "running" || making?.state === "queued";
    return html`<div class="row spread above">
        <p class="soft">
          ${t("backupsPanel.accountsSettingsPluginsAnd")}
          <a href="/operations/schedules">${t("backupsPanel.whenBackupsAreMade")}</a>
        </p>
        <button
          type="button"
          class="primary"
          ?disabled=${this.#action.busy || isMaking}
          @click=${() => void this.#action.run(() => this.post("/api/tools/backup", {}))}
        >
          ${icon("plus")}${t("backupsPanel.backUpNow")}
        </button>
      </div>
      <div role="status">${isMaking ? underWay() : nothing}</div>
      ${making?.state === "failed" ? problem(t("backupsPanel.theLastBackupFailed", { reason: making.error ?? "" })) : nothing}
      ${this.#backups.render((backups) => this.#list(backups))}
      <operations-backup-copies
        .longbox=${this.longbox}
        @brought-back=${() => this.#backups.refresh()}
      ></operations-backup-copies>`;
  }

  #list(backups: readonly Backup[]): TemplateResult {
    if (backups.length === 0)
      return notice({
        drawing: "box",
        heading: t("backupsPanel.thereIsNoBackup"),
        text: t("backupsPanel.aBackupHolds"),
      });
    return html`<ul>
      ${repeat(
        backups,
        ({ name }) => name,
        (backup) =>
          html`<li class="card">
            <div class="row spread">
              <div>
                <h2>${moment(backup.createdAt)}</h2>
                <p class="label">${bytes(backup.sizeBytes)}</p>
              </div>
              <span class="row"
                >${this.#restoreButton(backup)}
                ${menuButton(nothing, () => ({ label: t("backupsPanel.backupOf", { day: moment(backup.createdAt) }), items: [this.#removal(backup)] }), { style: "quiet round", label: t("backupsPanel.moreForTheBackup", { day: moment(backup.createdAt) }), icon: "more" })}</span
              >
            </div>
            <p class="soft">${backup.name}</p>
          </li>`,
      )}
    </ul>`;
  }

  #restoreButton(backup: Backup): TemplateResult | typeof nothing {
    if (!this.longbox.may("plugins.manage")) return nothing;
    return html`<button
      type="button"
      ?disabled=${this.#action.busy}
      aria-label=${t("backupsPanel.restoreTheBackupOf", { day: moment(backup.createdAt) })}
      @click=${() => void this.#restore(backup)}
    >
      ${t("backupsPanel.restore")}
    </button>`;
  }

  #removal(backup: Backup) {
    return { label: t("backupsPanel.delete"), icon: "trash", isDangerous: true, run: () => void this.#remove(backup) };
  }

  async #restore({ name, createdAt }: Backup): Promise<void> {
    const sure = await confirm({
      heading: t("backupsPanel.restoreTheBackupOf2", { day: moment(createdAt) }),
      text: t("backupsPanel.theServerChecksThe"),
      action: t("backupsPanel.restore"),
      isDangerous: true,
    });
    if (!sure) return;
    await this.#action.run(
      () => this.post(`/api/backups/${encodeURIComponent(name)}/restore`),
      t("backupsPanel.theBackupIsValid"),
    );
  }

  async #remove({ name, createdAt }: Backup): Promise<void> {
    const sure = await confirm({
      heading: t("backupsPanel.deleteTheBackupOf", { day: moment(createdAt) }),
      text: t("backupsPanel.thisCannotBeUndone"),
      action: t("backupsPanel.delete"),
      isDangerous: true,
    });
    if (!sure) return;
    await this.#action.run(
      () => this.longbox.api(`/api/backups/${encodeURIComponent(name)}`, { method: "DELETE" }),
      t("backupsPanel.theBackupWasDeleted"),
    );
  }
}

/** A backup takes as long as there are data. The job goes on when the page is left, and is among the activity. */
function underWay(): TemplateResult {
  return html`<div class="card above">
    <p>${t("backupsPanel.theBackupIsBeing")}</p>
    <progress aria-label=${t("backupsPanel.theBackupIsBeing")}></progress>
  </div>`;
}
