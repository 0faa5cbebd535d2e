import { progress, Resource, t } from "@longbox/sdk/ui";
import { css, html, LitElement, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { RunningState } from "@longbox/files/api";
import type { Shell } from "../shell/shell.js";
import { base, buttons, surfaces } from "../styles/index.js";

/** Progress of the running scan; empty while none runs. Dispatches `finished` once when a scan ends. */
@customElement("lb-scan-progress")
export class ScanProgress extends LitElement {
  @property({ attribute: false }) longbox!: Shell;
  /** Also shows that no scan runs, and how the last one ended. */
  @property({ type: Boolean }) always = false;
  #wasRunning = false;

  readonly #scan = new Resource<RunningState>(this, {
    path: () => (this.longbox.may("library.view") ? "/api/scan-folder" : undefined),
    domains: ["scanFolder"],
    arrived: (scan) => this.#arrived(scan),
  });

  static override styles = [
    base,
    buttons,
    surfaces,
    css`
      :host {
        display: block;
      }
      .scan {
        display: grid;
        gap: var(--lb-space-2);
        margin-bottom: var(--lb-scan-space, var(--lb-space-5));
      }
      .bad {
        color: var(--lb-danger);
        font-weight: 600;
      }
    `,
  ];

  override render() {
    const scan = this.#scan.value;
    if (!scan) return nothing;
    if (scan.running) return this.#running(scan);
    if (scan.error) return html`<div class="scan"><p class="bad" role="alert">${scan.error}</p></div>`;
    if (this.always && scan.message) return html`<div class="scan"><p class="soft">${scan.message}</p></div>`;
    return nothing;
  }

  #running(scan: RunningState) {
    return html`<div class="scan">
      ${progress({ label: scan.message ?? t("scanProgress.readingTheFolder"), done: scan.done, total: scan.total, unit: t("scanProgress.files") })}
    </div>`;
  }

  #arrived(scan: RunningState): void {
    if (this.#wasRunning && !scan.running) this.dispatchEvent(new CustomEvent("finished", { detail: scan }));
    this.#wasRunning = scan.running;
  }
}
