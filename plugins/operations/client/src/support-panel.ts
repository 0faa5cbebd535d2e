import type { LongboxClient } from "@longbox/sdk/client";
import { html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { style } from "./style.js";
import { messageOf } from "./wording.js";

/** The support package: to look into, or to send. */
@customElement("operations-support")
export class SupportPanel extends LitElement {
  static override styles = style;
  @property({ attribute: false }) longbox!: LongboxClient;
  @state() private busy = false;
  @state() private sent: { code: string; expiresInDays: number } | undefined;

  override render(): TemplateResult {
    return html`<div class="card">
      <p>Everything that helps somebody else to understand a problem here: versions, settings without secrets, plugins, libraries, jobs and the log, in one ZIP.</p>
      <form class="line start" @submit=${(event: SubmitEvent) => this.#send(event)}>
        <a class="button" href="/api/support/package" download>Download it</a>
        <label>Note <input name="note" maxlength="10000" /></label>
        <button ?disabled=${this.busy}>${this.busy ? "Sending …" : "Send it"}</button>
      </form>
      ${this.sent ? html`<p role="status">It was sent. Name this code to whoever helps you: <strong>${this.sent.code}</strong>. It is kept for ${this.sent.expiresInDays} days.</p>` : nothing}
    </div>`;
  }

  async #send(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const note = String(new FormData(event.target as HTMLFormElement).get("note") ?? "");
    this.busy = true;
    try {
      this.sent = await this.longbox.api("/api/support/send", { method: "POST", body: note === "" ? {} : { note } });
    } catch (fault) {
      this.longbox.notify(messageOf(fault), { level: "danger" });
    } finally {
      this.busy = false;
    }
  }
}
