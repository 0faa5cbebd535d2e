// The form of the first visit that restores a backup of another server.
import { addressOf, Action, field, LongboxElement, percent, problem, submitted, t } from "@longbox/sdk/ui";
import type { ClientSubject } from "@longbox/sdk/client";
import { css, html, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Shell } from "../../shell/shell.js";
import { ApiFailure } from "../../shell/api.js";
import { base, buttons, forms, type } from "../../styles/index.js";
import { restoreFrom } from "./restoring.js";

const layout = css`
  summary {
    cursor: pointer;
    padding-block: var(--lb-space-2);
  }
  form {
    margin-top: var(--lb-space-3);
  }
  input[type="file"] {
    max-width: 100%;
  }
  form > .problem {
    padding: var(--lb-space-2) var(--lb-space-3);
    border-inline-start: 4px solid var(--lb-danger);
    background: var(--lb-page);
  }
`;

/** A backup and its passphrase. Once it is restored, the page is loaded again: the server is another one then. */
@customElement("lb-restore-form")
export class RestoreForm extends LongboxElement<ClientSubject, Shell> {
  static override styles = [base, type, buttons, forms, layout];
  /** Whether the server asks this browser for its setup token. */
  @property({ type: Boolean }) needsToken = false;
  @state() private wantsToken = false;
  /** The part that has been sent, 0 to 1. */
  @state() private sent = 0;
  readonly #action = new Action(this);

  override render() {
    return html`<details>
      <summary>${t("restoreForm.moveHere")}</summary>
      <form @submit=${this.#restore}>
        <p class="soft">${t("restoreForm.theBackupIsChecked")}</p>
        ${problem(this.#action.problem)}
        <div class="field">
          <label for="backup">${t("restoreForm.backup")}</label>
          <input id="backup" name="backup" type="file" accept=".gz,.age" required />
        </div>
        ${field({ name: "passphrase", label: t("restoreForm.passphrase"), type: "password", autocomplete: "off", problem: this.#action.problemOf("passphrase"), hint: t("restoreForm.onlyIfEncrypted") })}
        ${this.needsToken || this.wantsToken ? field({ name: "restore-token", label: t("welcome.setupToken"), required: true, autocomplete: "off", hint: t("welcome.theServerPrintedIt") }) : nothing}
        <button ?disabled=${this.#action.busy}>${t("restoreForm.restore")}</button>
        <p class="soft" role="status">${this.#action.busy ? this.#progress() : nothing}</p>
      </form>
    </details>`;
  }

  #progress(): string {
    return this.sent < 1 ? t("restoreForm.sent", { part: percent(this.sent, 1) }) : t("restoreForm.theServerChecks");
  }

  async #restore(event: SubmitEvent): Promise<void> {
    const { passphrase = "", "restore-token": token } = submitted(event);
    const file = (event.target as HTMLFormElement).querySelector<HTMLInputElement>("#backup")?.files?.[0];
    if (file === undefined) return;
    const sent = (part: number) => (this.sent = part);
    const api: Shell["api"] = (path, options) => this.longbox.api(path, options);
    if (await this.#action.run(() => restoreFrom(api, { file, passphrase, token, sent })))
      return location.assign(addressOf("/"));
    const { error } = this.#action;
    if (error instanceof ApiFailure && (error.status === 403 || error.status === 401)) this.wantsToken = true;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "lb-restore-form": RestoreForm;
  }
}
