import { Action, element, LongboxElement, submitted } from "@longbox/sdk/ui";
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
      <p>
        Everything that is needed to diagnose a problem on this server: versions, settings without secrets, plugins,
        libraries, jobs and the log, in one ZIP.
      </p>
      <form class="row" @submit=${(event: SubmitEvent) => this.#send(submitted(event)["note"] ?? "")}>
        <a class="button" href="/api/support/package" download>Download it</a>
        <label>Note <input name="note" maxlength="10000" /></label>
        <button ?disabled=${this.#action.busy}>${this.#action.busy ? "Sending …" : "Send it"}</button>
      </form>
      ${this.sent ? html`<p role="status">It was sent. Give this code to your support contact: <strong>${this.sent.code}</strong>. It is kept for ${this.sent.expiresInDays} days.</p>` : nothing}
    </div>`;
  }

  #send(note: string): Promise<boolean> {
    return this.#action.run(
      async () => (this.sent = await this.post("/api/support/send", note === "" ? {} : { note })),
    );
  }
}
