import type { Blocked } from "@longbox/downloads/api";
import { Action, confirm, element, LongboxElement, moment, notice, Resource, skeleton, t } from "@longbox/sdk/ui";
import { html, type TemplateResult } from "lit";
import { style } from "./style.js";

interface Blocklist {
  readonly rows: readonly Blocked[];
  readonly total: number;
}

/** Releases that are not taken again by themselves. */
@element("downloads-blocklist")
export class DownloadsBlocklist extends LongboxElement {
  static override styles = [style];
  readonly #rows = new Resource<Blocklist>(this, { path: "/api/blacklist?limit=500", domains: ["queue"] });
  readonly #action = new Action(this, { notify: true, after: () => this.#rows.refresh() });

  override render(): unknown {
    return this.#rows.render((list) => this.#table(list), { waiting: skeleton() });
  }

  #table({ rows }: Blocklist): TemplateResult {
    if (rows.length === 0)
      return notice({
        drawing: "box",
        heading: t("blocklistPanel.nothingIsBlocked"),
        text: t("blocklistPanel.releasesThatTurnOut"),
      });
    return html`<div class="row">
        <button ?disabled=${this.#action.busy} @click=${() => this.#clear()}>${t("blocklistPanel.clear")}</button>
      </div>
      <div class="table-scroll" tabindex="0" role="region" aria-label=${t("blocklistPanel.blocklist")}>
        <table>
          <thead>
            <tr>
              <th scope="col">${t("blocklistPanel.since")}</th>
              <th scope="col">${t("blocklistPanel.release")}</th>
              <th scope="col">${t("blocklistPanel.why")}</th>
              <th scope="col"><span class="hidden">${t("blocklistPanel.actions")}</span></th>
            </tr>
          </thead>
          <tbody>
            ${rows.map((row) => this.#row(row))}
          </tbody>
        </table>
      </div>`;
  }

  #row({ id, created_at: since, title, source, reason }: Blocked): TemplateResult {
    const allow = () => this.longbox.api(`/api/blacklist/${id}`, { method: "DELETE" });
    return html`<tr>
      <td>${moment(since)}</td>
      <td>${title} <span class="label">${source}</span></td>
      <td>${this.longbox.said(reason)}</td>
      <td class="actions">
        <button
          class="quiet"
          aria-label=${t("blocklistPanel.allow", { title })}
          ?disabled=${this.#action.busy}
          @click=${() => this.#action.run(allow)}
        >
          ${t("blocklistPanel.allow2")}
        </button>
      </td>
    </tr>`;
  }

  async #clear(): Promise<void> {
    const sure = await confirm({
      heading: t("blocklistPanel.clearTheBlocklist"),
      text: t("blocklistPanel.everyReleaseInIt"),
      action: t("blocklistPanel.clear"),
    });
    if (sure) await this.#action.run(() => this.post("/api/blacklist/clear"), t("blocklistPanel.theBlocklistIsEmpty"));
  }
}
