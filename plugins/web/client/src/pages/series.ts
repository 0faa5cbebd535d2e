import "@awesome.me/webawesome/dist/components/dropdown/dropdown.js";
import "@awesome.me/webawesome/dist/components/dropdown-item/dropdown-item.js";
import { bytes, count, number, Resource } from "@longbox/sdk/ui";
import { css, html, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";
import "../elements/backdrop.js";
import "../elements/cover.js";
import { issueCard, type Card } from "../elements/cover-card.js";
import "../elements/cover-grid.js";
import "../elements/issue-list.js";
import { confirm } from "../elements/confirm.js";
import "../elements/icon.js";
import "../elements/slot.js";
import { skeleton, untilThere } from "../elements/states.js";
import type { IssueRow, Monitor, SeriesDocument } from "../shell/shapes.js";
import { plainText } from "../shell/wording.js";
import { page } from "../styles/index.js";
import { Page } from "./page.js";

type View = "grid" | "list";
type Show = "all" | "owned" | "missing";

const monitors: readonly { readonly id: Monitor; readonly label: string; readonly says: string }[] = [
  { id: "all", label: "Wants every issue", says: "Monitored" },
  { id: "new", label: "Wants new issues", says: "New issues" },
  { id: "none", label: "Wants nothing by itself", says: "Not monitored" },
];

/** One series: what it is, and its issues. */
@customElement("lb-series-page")
export class SeriesPage extends Page {
  @state() private view: View = "grid";
  @state() private show: Show = "all";
  @state() private unfolded = false;

  readonly #series = new Resource<SeriesDocument>(this, {
    path: () => `/api/collection/${encodeURIComponent(String(this.subject["id"]))}`,
    domains: ["collection"],
    arrived: (series) => this.longbox.titled(series.title),
  });

  static override styles = [
    page,
    css`
      :host {
        position: relative;
        isolation: isolate;
      }
      .top {
        display: grid;
        grid-template-columns: clamp(7.5rem, 22vw, 15rem) minmax(0, 1fr);
        grid-template-rows: auto 1fr;
        gap: var(--lb-space-4) clamp(var(--lb-space-4), 3vw, var(--lb-space-6));
        margin-bottom: var(--lb-space-6);
      }
      .sleeve {
        grid-row: 1 / -1;
      }
      .facts,
      .more {
        display: grid;
        grid-template-columns: minmax(0, 1fr);
        align-content: start;
        gap: var(--lb-space-3);
      }
      .label a {
        color: inherit;
      }
      .actions {
        display: flex;
        flex-wrap: wrap;
        gap: var(--lb-space-2);
        align-items: center;
      }
      lb-slot {
        display: contents;
      }
      .about {
        white-space: pre-line;
      }
      .about.folded {
        display: -webkit-box;
        overflow: hidden;
        -webkit-box-orient: vertical;
        -webkit-line-clamp: 4;
      }
      .path {
        font: var(--lb-text-s) / 1.4 var(--lb-font-mono);
        overflow-wrap: anywhere;
      }
      .bar {
        display: flex;
        flex-wrap: wrap;
        align-items: center;
        justify-content: space-between;
        gap: var(--lb-space-3);
        margin-bottom: var(--lb-space-4);
      }
      @media (max-width: 559px) {
        .top {
          grid-template-columns: 7rem minmax(0, 1fr);
        }
        .sleeve {
          grid-row: 1;
        }
        .more {
          grid-column: 1 / -1;
        }
      }
    `,
  ];

  override render() {
    return this.#series.render((series) => html`${this.#top(series)} ${this.#issues(series)}`, { ...untilThere, waiting: html`<h1 class="hidden">Series</h1>${skeleton("text")}` });
  }

  #top(series: SeriesDocument) {
    const facts = [series.publisher, series.year, series.status === "unknown" ? undefined : series.status].filter((fact) => fact !== null && fact !== undefined);
    return html`<lb-backdrop .path=${series.cover}></lb-backdrop><div class="top">
      <div class="sleeve"><lb-cover .path=${series.cover} title=${series.title} sizes="240px" eager></lb-cover></div>
      <div class="facts">
        <p class="label">${facts.join(" · ")}</p>
        <h1>${series.title}</h1>
        <p class="row">
          <span class="tag ${series.missing === 0 ? "good" : ""}">${series.missing === 0 ? `${number(series.owned)} owned, complete` : `${number(series.owned)} of ${number(series.total)} owned`}</span>
          ${series.corrupt > 0 ? html`<span class="tag bad">${count(series.corrupt, "damaged file")}</span>` : nothing}
          ${series.matched ? nothing : html`<span class="tag">Not matched yet</span>`} ${series.restricted ? html`<span class="tag warn">Restricted</span>` : nothing}
          <span class="label">${bytes(series.size)}</span>
        </p>
      </div>
      <div class="more">
        <div class="actions">
          <lb-slot name="series.actions" .longbox=${this.longbox} .subject=${{ series }}></lb-slot>
          <button aria-pressed=${series.followed ? "true" : "false"} @click=${() => this.#follow(series)}><lb-icon name="heart"></lb-icon>${series.followed ? "Followed" : "Follow"}</button>
          ${this.longbox.may("library.manage") ? this.#keeping(series) : nothing}
        </div>
        ${this.#about(series)} ${series.location ? html`<p class="path soft">${series.location}</p>` : nothing}
      </div>
    </div>`;
  }

  #about(series: SeriesDocument) {
    const text = series.description ? plainText(series.description) : "";
    if (text === "") return nothing;
    return html`<p class="prose about ${this.unfolded ? "" : "folded"}">${text}</p>
      ${text.length > 320 ? html`<p><button class="quiet" aria-expanded=${this.unfolded} @click=${() => (this.unfolded = !this.unfolded)}>${this.unfolded ? "Less" : "More"}</button></p>` : nothing}`;
  }

  #keeping(series: SeriesDocument) {
    const says = monitors.find(({ id }) => id === series.monitor)?.says ?? "Monitor";
    return html`<wa-dropdown @wa-select=${(event: CustomEvent<{ item: { value: string } }>) => this.#monitor(series, event.detail.item.value as Monitor)}>
        <button slot="trigger"><lb-icon name="eye"></lb-icon>${says}<lb-icon name="down"></lb-icon></button>
        ${monitors.map(({ id, label }) => html`<wa-dropdown-item type="checkbox" value=${id} ?checked=${id === series.monitor}>${label}</wa-dropdown-item>`)}
      </wa-dropdown>
      <wa-dropdown placement="bottom-end" @wa-select=${(event: CustomEvent<{ item: { value: string } }>) => this.#keep(series, event.detail.item.value)}>
        <button slot="trigger" class="round" aria-label="More for this series"><lb-icon name="more"></lb-icon></button>
        <wa-dropdown-item value="scan">Scan its folder</wa-dropdown-item>
        <wa-dropdown-item value="restrict">${series.restricted ? "Lift the restriction" : "Restrict"}</wa-dropdown-item>
        <wa-dropdown-item value="remove" variant="danger">Remove from the library</wa-dropdown-item>
      </wa-dropdown>`;
  }

  #issues(series: SeriesDocument) {
    const shown = series.issues.filter((issue) => this.show === "all" || issue.owned === (this.show === "owned"));
    return html`<section aria-label="Issues">
      <div class="bar">
        <h2>${count(series.issues.length, "issue")}</h2>
        <div class="row">
          ${series.missing > 0 ? this.#choice("show", [["all", "All"], ["owned", "Owned"], ["missing", "Missing"]]) : nothing}
          <button class="round" aria-pressed=${this.view === "grid"} aria-label="As covers" title="As covers" @click=${() => (this.view = "grid")}><lb-icon name="grid"></lb-icon></button>
          <button class="round" aria-pressed=${this.view === "list"} aria-label="As a list" title="As a list" @click=${() => (this.view = "list")}><lb-icon name="list"></lb-icon></button>
        </div>
      </div>
      ${this.view === "grid" ? this.#covers(series, shown) : html`<lb-issue-list .longbox=${this.longbox} .issues=${shown}></lb-issue-list>`}
    </section>`;
  }

  #choice(name: "show", choices: readonly (readonly [Show, string])[]) {
    return choices.map(([id, label]) => html`<button aria-pressed=${this[name] === id} @click=${() => (this[name] = id)}>${label}</button>`);
  }

  #covers(series: SeriesDocument, issues: readonly IssueRow[]) {
    const cardAt = (index: number): Card | undefined => {
      const issue = issues[index];
      return issue ? issueCard(issue, series.title) : undefined;
    };
    return html`<lb-cover-grid label="Issues" .total=${issues.length} .cardAt=${cardAt}></lb-cover-grid>`;
  }

  async #follow(series: SeriesDocument): Promise<void> {
    await this.attempt(() => this.longbox.api(`/api/collection/${series.id}/follow`, { method: "POST", body: { follow: !series.followed } }));
    void this.#series.refresh();
  }

  async #monitor(series: SeriesDocument, monitor: Monitor): Promise<void> {
    await this.attempt(() => this.longbox.api(`/api/collection/${series.id}/monitor`, { method: "POST", body: { monitor } }));
    void this.#series.refresh();
  }

  async #keep(series: SeriesDocument, action: string): Promise<void> {
    if (action === "scan") await this.attempt(() => this.longbox.api(`/api/collection/${series.id}/scan`, { method: "POST" }), "The folder is being read.");
    if (action === "restrict") await this.attempt(() => this.longbox.api(`/api/collection/${series.id}/restricted`, { method: "POST", body: { restricted: !series.restricted } }));
    if (action !== "remove") return this.#series.refresh();
    const sure = await confirm({ heading: `Remove ${series.title}?`, text: "Longbox forgets the series and what was noted about it. The files on disk are left alone.", action: "Remove", danger: true });
    if (!sure) return;
    const gone = await this.attempt(() => this.longbox.api(`/api/collection/${series.id}/delete`, { method: "POST" }), `${series.title} was removed.`);
    if (gone) this.longbox.back("/library");
  }
}
