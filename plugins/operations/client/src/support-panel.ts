import { Action, element, LongboxElement, submitted, t, rich } from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import { style } from "./style.js";

/** The support package: download or send. */
@element("operations-support")
export class SupportPanel extends LongboxElement {
  static override styles = style;
  readonly #action = new Action(this, { notify: true });
  @state() private sent: { code: string; expiresInDays: number } | undefined;

  override render(): TemplateResult {
    return html`<div class="card">
      <p>${t("supportPanel.everythingThatIsNeeded")}</p>
      <form class="row" @submit=${(event: SubmitEvent) => this.#send(submitted(event)["note"] ?? "")}>
        <a class="button" href="/api/support/package" download>${t("supportPanel.download")}</a>
        <label>${t("supportPanel.note")} <input name="note" maxlength="10000" /></label>
        <button ?disabled=${this.#action.busy}>
          ${this.#action.busy ? t("supportPanel.sending") : t("supportPanel.send")}
        </button>
      </form>
      ${this.sent ? html`<p role="status">${rich("supportPanel.itWasSentGive", { code: html`<strong>${this.sent.code}</strong>`, days: this.sent.expiresInDays })}</p>` : nothing}
    </div>`;
  }

  #send(note: string): Promise<boolean> {
    return this.#action.run(
      async () => (this.sent = await this.post("/api/support/send", note === "" ? {} : { note })),
    );
  }
}
