import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { Panel } from "./panel.js";
import type { LogLine } from "./shapes.js";
import { style } from "./style.js";
import { clockTime } from "./wording.js";

const levels = ["debug", "info", "warn", "error"] as const;

/** The newest lines of the server's log, as they come. */
@customElement("operations-log")
export class LogPanel extends Panel<readonly LogLine[]> {
  @state() private level: LogLine["level"] = "info";
  @state() private text = "";
  protected readonly domains = ["logs"];

  static override styles = [
    style,
    css`
      .log {
        display: block;
        margin-top: var(--lb-space-3);
        border: 1px solid var(--lb-line);
        border-radius: var(--lb-radius-m);
        background: var(--lb-surface);
        font: var(--lb-text-xs) / 1.5 var(--lb-font-mono);
      }
      .log li {
        display: grid;
        grid-template-columns: 5.5rem 3.5rem minmax(0, 9rem) minmax(0, 1fr);
        gap: var(--lb-space-3);
        padding: var(--lb-space-1) var(--lb-space-3);
        border-bottom: 1px solid var(--lb-line);
        overflow-wrap: anywhere;
      }
      .log li:last-child {
        border-bottom: 0;
      }
      .warn {
        color: var(--lb-warning);
      }
      @media (width < 40rem) {
        .log li {
          grid-template-columns: auto auto 1fr;
        }
        .text {
          grid-column: 1 / -1;
        }
      }
    `,
  ];

  protected path(): string {
    const text = this.text === "" ? "" : `&text=${encodeURIComponent(this.text)}`;
    return `/api/logs?limit=300&level=${this.level}${text}`;
  }

  protected show(lines: readonly LogLine[]): TemplateResult {
    return html`
      <div class="line">
        <span class="line">
          <label>From <select @change=${(event: Event) => this.#choose((event.target as HTMLSelectElement).value as LogLine["level"])}>${levels.map((level) => html`<option value=${level} ?selected=${level === this.level}>${level}</option>`)}</select></label>
          <label>With <input type="search" aria-label="Text in the log" .value=${this.text} @input=${(event: Event) => this.#search((event.target as HTMLInputElement).value)} /></label>
        </span>
        <button ?disabled=${this.busy} @click=${() => this.attempt(() => this.longbox.api("/api/logs/clear", { method: "POST" }))}>Clear</button>
      </div>
      ${lines.length === 0 ? html`<p class="soft">No line fits.</p>` : html`<ul class="log" aria-label="Log, newest first">${repeat(lines, (line) => line.id, (line) => this.#line(line))}</ul>`}
    `;
  }

  #line(line: LogLine): TemplateResult {
    const fields = Object.keys(line.fields).length === 0 ? nothing : html` <span class="soft">${JSON.stringify(line.fields)}</span>`;
    return html`<li><time datetime=${line.at} title=${line.at}>${clockTime(line.at)}</time><span class=${line.level}>${line.level}</span><span class="soft">${line.category}</span><span class="text">${line.message}${fields}</span></li>`;
  }

  #choose(level: LogLine["level"]): void {
    this.level = level;
    void this.refresh();
  }

  #search(text: string): void {
    this.text = text;
    void this.refresh();
  }
}
