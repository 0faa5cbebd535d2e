import type { SettingTestResult } from "@longbox/sdk";
import { messageOf, t } from "@longbox/sdk/ui";
import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { Shell } from "../../shell/shell.js";
import { base, buttons, type } from "../../styles/index.js";

/** A button that tries the values of a group of settings, saved or not, and shows how that went. */
@customElement("lb-settings-test")
export class SettingsTest extends LitElement {
  @property({ attribute: false }) longbox!: Shell;
  /** What is tested, for screen readers. */
  @property() label = "";
  /** The route that tests them. */
  @property() path = "";
  @property({ attribute: false }) values: Readonly<Record<string, unknown>> = {};
  @state() private result: SettingTestResult | "testing" | undefined;

  static override styles = [
    base,
    type,
    buttons,
    css`
      :host {
        display: grid;
        gap: var(--lb-space-2);
        justify-items: start;
        margin-top: var(--lb-space-3);
      }
      .good {
        color: var(--lb-success);
        font-weight: 600;
      }
      .problem {
        color: var(--lb-danger);
        font-weight: 600;
      }
    `,
  ];

  /** What was said of other values says nothing of these. */
  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("values") && this.result !== "testing") this.result = undefined;
  }

  override render() {
    const { result } = this;
    return html`<button
        type="button"
        aria-label=${t("settingsTest.test", { name: this.label })}
        ?disabled=${result === "testing"}
        @click=${this.#try}
      >
        ${t("settingsTest.test2")}
      </button>
      <div role="status">
        ${result === undefined ? nothing : result === "testing" ? html`<p class="soft">${t("settingsTest.testing")}</p>` : html`<p class=${result.ok ? "good" : "problem"}>${this.longbox.said(result.message)}</p>`}
      </div>`;
  }

  readonly #try = async (): Promise<void> => {
    const { values } = this;
    this.result = "testing";
    const sent = { method: "POST", body: values };
    const failed = (thrown: unknown) => ({ ok: false, message: messageOf(thrown) });
    const result = await this.longbox.api<SettingTestResult>(this.path, sent).catch(failed);
    this.result = values === this.values ? result : undefined;
  };
}
