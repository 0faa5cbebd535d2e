import type { History, HistoryRow } from "@longbox/downloads/api";
import { element, LongboxElement, moment, notice, pager, Resource, skeleton, t } from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { style } from "./style.js";

const perPage = 100;

/** What was imported, or what failed. */
@element("downloads-history")
export class DownloadsHistory extends LongboxElement {
  static override styles = [style];
  @property() path = "/api/history";
  @state() private page = 0;
  readonly #rows = new Resource<History>(this, {
    path: () => `${this.path}?limit=${perPage}&offset=${this.page * perPage}`,
    domains: ["queue"],
    keep: true,
  });

  override render(): unknown {
    return this.#rows.render((history) => this.#table(history), { waiting: skeleton() });
  }

  #table({ rows, total }: History): TemplateResult {
    if (rows.length === 0)
      return notice({
        drawing: "box",
        heading: t("historyPanel.nothingYet"),
        text: t("historyPanel.finishedAndFailedDownloads"),
      });
    return html`<div class="table-scroll" tabindex="0" role="region" aria-label=${t("historyPanel.history")}>
        <table>
          <thead>
            <tr>
              <th scope="col">${t("historyPanel.when")}</th>
              <th scope="col">${t("historyPanel.item")}</th>
              <th scope="col">${t("historyPanel.release")}</th>
              <th scope="col">${t("historyPanel.outcome")}</th>
            </tr>
          </thead>
          <tbody>
            ${rows.map((row) => this.#line(row))}
          </tbody>
        </table>
      </div>
      ${pager({
        page: this.page,
        hasNext: (this.page + 1) * perPage < total,
        turn: (page) => {
          this.page = page;
        },
      })}`;
  }

  #line({ at, seriesId, name, release, source, path, error }: HistoryRow): TemplateResult {
    const imported =
      path === undefined ? t("historyPanel.imported") : t("historyPanel.importedAs", { path: lastOf(path) });
    return html`<tr>
      <td>${moment(at)}</td>
      <td><a href="/series/${seriesId}">${name}</a></td>
      <td>${release} <span class="label">${source}</span></td>
      <td title=${path ?? nothing}>${error ? this.longbox.said(error) : imported}</td>
    </tr>`;
  }
}

/** The file's name, whatever system the server runs on. */
const lastOf = (path: string) => path.split(/[/\\]/).at(-1) ?? path;
