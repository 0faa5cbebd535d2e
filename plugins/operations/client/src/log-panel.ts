import {
  Action,
  choice,
  clockTime,
  compareTexts,
  element,
  LongboxElement,
  notice,
  pager,
  Resource,
  t,
  valueOf,
} from "@longbox/sdk/ui";
import { css, html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import { repeat } from "lit/directives/repeat.js";
import type { LogLine } from "@longbox/operations/api";
import { style } from "./style.js";

const levels: ReadonlyArray<readonly [level: LogLine["level"], title: string]> = [
  ["debug", t("logPanel.details")],
  ["info", t("logPanel.information")],
  ["warn", t("logPanel.warning")],
  ["error", t("logPanel.error")],
];
const levelTitles = new Map(levels);
const spans: ReadonlyArray<readonly [minutes: number, title: string]> = [
  [0, t("logPanel.anyTime")],
  [15, t("logPanel.theLast15Minutes")],
  [60, t("logPanel.theLastHour")],
  [1440, t("logPanel.theLastDay")],
];
const linesAtOnce = 200;

/** The server's log, newest first and updated live; older lines are paginated. */
@element("operations-log")
export class LogPanel extends LongboxElement {
  @state() private level: LogLine["level"] = "info";
  @state() private category = "";
  @state() private text = "";
  @state() private minutes = 0;
  @state() private page = 0;
  /** Every category seen so far, so that choosing one does not take the others out of the list. */
  readonly #categories = new Set<string>();
  readonly #lines = new Resource<readonly LogLine[]>(this, { path: () => this.#path(), domains: ["logs"], keep: true });
  readonly #action = new Action(this, { notify: true, after: () => this.#lines.refresh() });

  static override styles = [
    style,
    css`
      .filters {
        gap: var(--lb-space-2) var(--lb-space-4);
      }
      .empty {
        margin-top: var(--lb-space-4);
      }
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
        grid-template-columns: 5.5rem 6rem minmax(0, 9rem) minmax(0, 1fr);
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
      .error {
        color: var(--lb-danger);
      }
      @media (width < 40rem) {
        .filters {
          display: grid;
          grid-template-columns: repeat(auto-fit, minmax(min(100%, 9rem), 1fr));
          width: 100%;
        }
        .filters label {
          display: grid;
        }
        .filters :is(select, input) {
          width: 100%;
        }
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

  override render(): unknown {
    return this.#lines.render((lines) => this.#list(lines));
  }

  #path(): string {
    const query = new URLSearchParams({
      limit: String(linesAtOnce),
      offset: String(this.page * linesAtOnce),
      level: this.level,
    });
    if (this.category !== "") query.set("category", this.category);
    if (this.text !== "") query.set("text", this.text);
    if (this.minutes > 0) query.set("since", minutesAgo(this.minutes));
    return `/api/logs?${query}`;
  }

  #list(lines: readonly LogLine[]): TemplateResult {
    for (const { category } of lines) this.#categories.add(category);
    return html`
      <div class="row spread">
        ${this.#filters()}
        <button ?disabled=${this.#action.busy} @click=${() => this.#action.run(() => this.post("/api/logs/clear"))}>
          ${t("logPanel.clearTheLog")}
        </button>
      </div>
      ${
        lines.length === 0
          ? notice({ drawing: "search", heading: t("logPanel.noMatchingLines") })
          : html`<ul class="log" aria-label=${t("logPanel.logNewestFirst")}>
              ${repeat(
                lines,
                (line) => line.id,
                (line) => this.#line(line),
              )}
            </ul>`
      }
      ${pager({ page: this.page, hasNext: lines.length === linesAtOnce, turn: (page) => (this.page = page), previous: t("logPanel.newer"), next: t("logPanel.older") })}
    `;
  }

  #filters(): TemplateResult {
    const categories = [
      ["", t("logPanel.everything")] as const,
      ...[...this.#categories].toSorted(compareTexts).map((category) => [category, category] as const),
    ];
    return html`<span class="row filters">
      ${choice({ label: t("logPanel.levelFrom"), choices: levels }, this.level, (level) => this.#ask({ level }))}
      ${choice({ label: t("logPanel.category"), choices: categories }, this.category, (category) => this.#ask({ category }))}
      ${choice({ label: t("logPanel.period"), choices: spans }, this.minutes, (minutes) => this.#ask({ minutes }))}
      <label
        >${t("logPanel.contains")}
        <input
          type="search"
          aria-label=${t("logPanel.textInTheLog")}
          .value=${this.text}
          @input=${(event: Event) => this.#ask({ text: valueOf(event) })}
      /></label>
    </span>`;
  }

  #line(line: LogLine): TemplateResult {
    const fields =
      Object.keys(line.fields).length === 0 ? nothing : html` <span class="soft">${JSON.stringify(line.fields)}</span>`;
    return html`<li>
      <time datetime=${line.at} title=${line.at}>${clockTime(line.at)}</time
      ><span class=${line.level}>${levelTitles.get(line.level)}</span><span class="soft">${line.category}</span
      ><span class="text" lang="en" dir="ltr">${line.message}${fields}</span>
    </li>`;
  }

  /** Another question begins at its newest line. */
  #ask(change: object): void {
    Object.assign(this, change, { page: 0 });
  }
}

/** Whole minutes, so that the path stays the same from one update to the next. */
function minutesAgo(minutes: number): string {
  return new Date((Math.floor(Date.now() / 60_000) - minutes) * 60_000).toISOString();
}
