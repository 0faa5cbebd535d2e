import { element, t, tables } from "@longbox/sdk/ui";
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import type { RefileStep } from "@longbox/files/api";
import { style } from "./style.js";

const says: Readonly<Record<RefileStep["status"], string>> = {
  move: t("plan.moves"),
  unchanged: t("plan.stays"),
  collision: t("plan.nameTaken"),
  "no-name": t("plan.noName"),
  failed: t("plan.notMoved"),
};
const looks: Readonly<Record<RefileStep["status"], string>> = {
  move: "busy",
  unchanged: "",
  collision: "bad",
  "no-name": "warn",
  failed: "bad",
};
const mostRows = 300;

/** What would become of files, or became of them: a table from, to, how. Files that stay are only counted. */
@element("files-plan")
export class FilesPlan extends LitElement {
  @property({ attribute: false }) steps: readonly RefileStep[] = [];
  /** The plan has been carried out. */
  @property({ type: Boolean }) done = false;

  static override styles = [
    style,
    tables,
    css`
      .frame {
        max-height: 60vh;
        overflow: auto;
        border: 1px solid var(--lb-line);
        border-radius: var(--lb-radius-m);
        background: var(--lb-surface);
      }
      table {
        font-size: var(--lb-text-s);
      }
      th {
        position: sticky;
        top: 0;
        background: var(--lb-surface);
      }
      td {
        vertical-align: top;
      }
      tr:last-child td {
        border-bottom: 0;
      }
      .name {
        font-family: var(--lb-font-mono);
        font-size: var(--lb-text-xs);
        overflow-wrap: anywhere;
      }
      .where {
        display: block;
        color: var(--lb-ink-soft);
      }
      p {
        margin-top: var(--lb-space-2);
      }
      /* In a narrow place each file is a block of its own. */
      @media (width < 44rem) {
        thead {
          position: absolute;
          clip-path: inset(50%);
        }
        table,
        tbody,
        tr,
        td {
          display: block;
        }
        tr {
          padding: var(--lb-space-2) 0;
          border-bottom: 1px solid var(--lb-line);
        }
        tr:last-child {
          border-bottom: 0;
        }
        td {
          padding: var(--lb-space-1) var(--lb-space-3);
          border: 0;
        }
        td.name + td.name {
          position: relative;
          padding-inline-start: calc(var(--lb-space-3) + 1.25rem);
        }
        td.name + td.name::before {
          content: "→" / "";
          position: absolute;
          inset-inline-start: var(--lb-space-3);
        }
      }
    `,
  ];

  override render(): TemplateResult {
    const changing = this.steps.filter((step) => step.status !== "unchanged");
    const staying = this.steps.length - changing.length;
    return html`${changing.length === 0 ? nothing : this.#table(changing)}
    ${changing.length > mostRows ? html`<p class="soft">${t("plan.andFilesMore", { changing: changing.length - mostRows })}</p>` : nothing}
    ${staying > 0 ? html`<p class="soft">${t("plan.filesAreWhereThey", { staying })}</p>` : nothing}`;
  }

  #table(steps: readonly RefileStep[]): TemplateResult {
    const root = commonFolder(steps.flatMap(({ from, to }) => [from, to]));
    const where = (full: string) => full.slice(root.length, full.lastIndexOf("/") + 1);
    const path = (full: string) =>
      html`${where(full) === "" ? nothing : html`<span class="where">${where(full)}</span>`}${full.slice(full.lastIndexOf("/") + 1)}`;
    return html`<div class="frame" tabindex="0" role="region" aria-label=${t("plan.filesThatChange")}>
      <table>
        <thead>
          <tr>
            <th scope="col">${t("plan.from")}</th>
            <th scope="col">${t("plan.to")}</th>
            <th scope="col">${t("plan.state")}</th>
          </tr>
        </thead>
        <tbody>
          ${steps.slice(0, mostRows).map(
            (step) =>
              html`<tr>
                <td class="name">${path(step.from)}</td>
                <td class="name">${step.status === "no-name" ? "…" : path(step.to)}</td>
                <td>
                  <span class="tag ${this.done && step.status === "move" ? "good" : looks[step.status]}"
                    >${this.done && step.status === "move" ? t("plan.moved") : says[step.status]}</span
                  >${step.error === undefined ? nothing : html`<span class="where">${step.error}</span>`}
                </td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`;
  }
}

/** The folder that all paths lie in, with its slash. */
export function commonFolder(paths: readonly string[]): string {
  let common = paths[0]?.slice(0, paths[0].lastIndexOf("/") + 1) ?? "";
  while (common !== "" && !paths.every((path) => path.startsWith(common)))
    common = common.slice(0, common.lastIndexOf("/", common.length - 2) + 1);
  return common;
}
