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
  Resource,
  t,
} from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import "./copies-list.js";
import { style } from "./style.js";

interface Backup {
  readonly name: string;
  readonly createdAt: string;
  readonly sizeBytes: number;
}

/** The kept backups: made, restored and deleted here. */
@element("operations-backups")
export class BackupsPanel extends LongboxElement {
  static override styles = style;
  readonly #backups = new Resource<readonly Backup[]>(this, { path: "/api/backups", domains: ["jobs"] });
  readonly #action = new Action(this, { notify: true, after: () => this.#backups.refresh() });

  override render(): TemplateResult {
    return html`<div class="row spread above">
        <p class="soft">
          ${t("backupsPanel.accountsSettingsPluginsAnd")}
          <a href="/operations/schedules">${t("backupsPanel.whenBackupsAreMade")}</a>
        </p>
        <button type="button" class="primary" ?disabled=${this.#action.busy} @click=${() => void this.#make()}>
          ${icon("plus")}${this.#action.busy ? t("backupsPanel.oneMoment") : t("backupsPanel.backUpNow")}
        </button>
      </div>
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

  #make(): Promise<boolean> {
    return this.#action.run(() => this.post("/api/backup"), t("backupsPanel.theBackupIsBeing"));
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
