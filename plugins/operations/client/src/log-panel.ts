import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import { Panel } from "./panel.js";
import type { LogLine } from "./shapes.js";
import { style } from "./style.js";
import { clockTime } from "./wording.js";

const levels = ["debug", "info", "warn", "error"] as const;
const spans: ReadonlyArray<readonly [title: string, minutes: number]> = [["any time", 0], ["the last 15 minutes", 15], ["the last hour", 60], ["the last day", 1440]];
const linesAtOnce = 200;

/** The server's log, newest first, as it comes; older lines page by page. */
@customElement("operations-log")
export class LogPanel extends Panel<readonly LogLine[]> {
  @state() private level: LogLine["level"] = "info";
  @state() private category = "";
  @state() private text = "";
  @state() private minutes = 0;
  @state() private page = 0;
  /** Every category seen so far, so that choosing one does not take the others out of the list. */
  readonly #categories = new Set<string>();
  protected readonly domains = ["logs"];

  static override styles = [
    style,
    css`
      .log {
        display: block;
        margin: var(--lb-space-4) 0;
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
          gap: 0 var(--lb-space-3);
          padding: var(--lb-space-2) var(--lb-space-3);
        }
        .text {
          grid-column: 1 / -1;
        }
      }
    `,
  ];

  protected path(): string {
    const query = new URLSearchParams({ limit: String(linesAtOnce), offset: String(this.page * linesAtOnce), level: this.level });
    if (this.category !== "") query.set("category", this.category);
    if (this.text !== "") query.set("text", this.text);
    if (this.minutes > 0) query.set("since", new Date(Date.now() - this.minutes * 60_000).toISOString());
    return `/api/logs?${query}`;
  }

  protected show(lines: readonly LogLine[]): TemplateResult {
    for (const { category } of lines) this.#categories.add(category);
    return html`
      <div class="line">
        ${this.#filters()}
        <button ?disabled=${this.busy} @click=${() => this.attempt(() => this.longbox.api("/api/logs/clear", { method: "POST" }))}>Clear</button>
      </div>
      ${lines.length === 0 ? html`<p class="soft empty" role="status">No line fits.</p>` : html`<ul class="log" aria-label="Log, newest first">${repeat(lines, (line) => line.id, (line) => this.#line(line))}</ul>`}
      ${this.#pages(lines.length)}
    `;
  }

  #filters(): TemplateResult {
    const chosen = (event: Event) => (event.target as HTMLSelectElement).value;
    return html`<span class="line start">
      <label>From <select @change=${(event: Event) => this.#ask(() => (this.level = chosen(event) as LogLine["level"]))}>${levels.map((level) => html`<option value=${level} ?selected=${level === this.level}>${level}</option>`)}</select></label>
      <label>Of <select @change=${(event: Event) => this.#ask(() => (this.category = chosen(event)))}><option value="">everything</option>${[...this.#categories].toSorted().map((category) => html`<option value=${category} ?selected=${category === this.category}>${category}</option>`)}</select></label>
      <label>In <select @change=${(event: Event) => this.#ask(() => (this.minutes = Number(chosen(event))))}>${spans.map(([title, minutes]) => html`<option value=${minutes} ?selected=${minutes === this.minutes}>${title}</option>`)}</select></label>
      <label>With <input type="search" aria-label="Text in the log" .value=${this.text} @input=${(event: Event) => this.#ask(() => (this.text = (event.target as HTMLInputElement).value))} /></label>
    </span>`;
  }

  #line(line: LogLine): TemplateResult {
    const fields = Object.keys(line.fields).length === 0 ? nothing : html` <span class="soft">${JSON.stringify(line.fields)}</span>`;
    return html`<li><time datetime=${line.at} title=${line.at}>${clockTime(line.at)}</time><span class=${line.level}>${line.level}</span><span class="soft">${line.category}</span><span class="text">${line.message}${fields}</span></li>`;
  }

  #pages(count: number): TemplateResult | typeof nothing {
    if (this.page === 0 && count < linesAtOnce) return nothing;
    const turn = (page: number) => {
      this.page = page;
      void this.refresh();
    };
    return html`<p class="line"><button ?disabled=${this.page === 0} @click=${() => turn(this.page - 1)}>Newer</button><button ?disabled=${count < linesAtOnce} @click=${() => turn(this.page + 1)}>Older</button></p>`;
  }

  /** Another question begins at its newest line. */
  #ask(change: () => void): void {
    change();
    this.page = 0;
    void this.refresh();
  }
}
