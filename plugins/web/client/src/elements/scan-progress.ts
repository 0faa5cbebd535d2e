import "@awesome.me/webawesome/dist/components/progress-bar/progress-bar.js";
import { number, Resource } from "@longbox/sdk/ui";
import { css, html, LitElement, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { RunningState } from "../shell/shapes.js";
import type { Shell } from "../shell/shell.js";
import { base } from "../styles/index.js";

/** How far the running scan is; nothing while none runs. Says `finished` once when one ends. */
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
    css`
      :host {
        display: block;
      }
      .scan {
        display: grid;
        gap: var(--lb-space-2);
        margin-bottom: var(--lb-space-5);
      }
      .line {
        display: flex;
        flex-wrap: wrap;
        justify-content: space-between;
        gap: var(--lb-space-1) var(--lb-space-4);
      }
      .line > :first-child {
        min-width: 0;
        overflow-wrap: anywhere;
      }
      wa-progress-bar {
        --track-height: 10px;
        --indicator-color: var(--lb-accent);
        --track-color: var(--lb-line);
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
    const known = scan.total > 0;
    const share = known ? Math.min(100, Math.round((scan.done / scan.total) * 100)) : 0;
    return html`<div class="scan">
      <div class="line">
        <span>${scan.message ?? "Reading the folder"}</span>
        <span class="label">${known ? `${number(scan.done)} / ${number(scan.total)}` : number(scan.done)} files</span>
      </div>
      <wa-progress-bar label="Scan" value=${share} ?indeterminate=${!known}></wa-progress-bar>
    </div>`;
  }

  #arrived(scan: RunningState): void {
    if (this.#wasRunning && !scan.running) this.dispatchEvent(new CustomEvent("finished", { detail: scan }));
    this.#wasRunning = scan.running;
  }
}
