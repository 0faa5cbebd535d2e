import { Action, bytes, confirm, element, icon, LongboxElement, menuButton, moment, Resource } from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
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
          Accounts, settings, plugins and their data. Files of your libraries are not in a backup.
          <a href="/operations/schedules">When backups are made</a>
        </p>
        <button type="button" class="primary" ?disabled=${this.#action.busy} @click=${() => void this.#make()}>
          ${icon("plus")}${this.#action.busy ? "One moment …" : "Back up now"}
        </button>
      </div>
      ${this.#backups.render((backups) => this.#list(backups))}`;
  }

  #list(backups: readonly Backup[]): TemplateResult {
    if (backups.length === 0) return html`<p class="soft">There is no backup yet.</p>`;
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
                ${menuButton(nothing, () => ({ label: `Backup of ${moment(backup.createdAt)}`, items: [this.#removal(backup)] }), { style: "quiet round", label: `More for the backup of ${moment(backup.createdAt)}`, icon: "more" })}</span
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
      aria-label="Restore the backup of ${moment(backup.createdAt)}"
      @click=${() => void this.#restore(backup)}
    >
      Restore
    </button>`;
  }

  #removal(backup: Backup) {
    return { label: "Delete", icon: "trash", isDangerous: true, run: () => void this.#remove(backup) };
  }

  #make(): Promise<boolean> {
    return this.#action.run(() => this.post("/api/backup"), "The backup is made.");
  }

  async #restore({ name, createdAt }: Backup): Promise<void> {
    const sure = await confirm({
      heading: `Restore the backup of ${moment(createdAt)}?`,
      text: "The server checks the backup and restarts. Accounts, settings, plugins, reading progress and everything else that the server keeps become what they were then; you may have to sign in again. Files of your libraries are not touched. The present data is kept in the folder “replaced” of the data folder until the next time.",
      action: "Restore",
      isDangerous: true,
    });
    if (!sure) return;
    await this.#action.run(
      () => this.post(`/api/backups/${encodeURIComponent(name)}/restore`),
      "The backup is good. The server restarts with it.",
    );
  }

  async #remove({ name, createdAt }: Backup): Promise<void> {
    const sure = await confirm({
      heading: `Delete the backup of ${moment(createdAt)}?`,
      text: "It cannot be brought back.",
      action: "Delete",
      isDangerous: true,
    });
    if (!sure) return;
    await this.#action.run(
      () => this.longbox.api(`/api/backups/${encodeURIComponent(name)}`, { method: "DELETE" }),
      "The backup was deleted.",
    );
  }
}
