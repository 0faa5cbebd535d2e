import {
  actionBar,
  actionButton,
  actionItems,
  Badges,
  bytes,
  confirm,
  count,
  cover,
  CoverWall,
  icon,
  menuButton,
  type MenuItem,
  notice,
  number,
  openMenu,
  pageStates,
  type Point,
  Resource,
  rule,
  Selection,
  skeleton,
  walls,
} from "@longbox/sdk/ui";
import { css, html, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";
import "../elements/backdrop.js";
import "../elements/issue-list.js";
import "../elements/slot.js";
import type { IssueRow, Monitor, SeriesDocument } from "@longbox/collection/api";
import { gapsOf, issueCard } from "@longbox/collection/client";
import { selectionBar, selectionBarStyle } from "../elements/selection-bar.js";
import { addressWith } from "../shell/library-choices.js";
import { Watch } from "../shell/observable.js";
import { capital, plainText } from "../shell/wording.js";
import { page } from "../styles/index.js";
import { Page } from "./page.js";

type View = "grid" | "list";
type Show = "all" | "owned" | "missing";
type Reading = "any" | "unread" | "reading" | "read";
interface Choice<Id extends string> {
  readonly id: Id;
  readonly label: string;
}

const views = [
  { id: "grid", label: "As covers" },
  { id: "list", label: "List" },
] as const satisfies readonly Choice<View>[];
const shows = [
  { id: "all", label: "All" },
  { id: "owned", label: "Owned" },
  { id: "missing", label: "Missing" },
] as const satisfies readonly Choice<Show>[];
const readings = [
  { id: "any", label: "Read or not" },
  { id: "unread", label: "Unread" },
  { id: "reading", label: "Reading" },
  { id: "read", label: "Read" },
] as const satisfies readonly Choice<Reading>[];
/** The choices of monitoring, in the words of the library's type. */
const monitorsOf = ({ unit: { one, other } }: SeriesDocument) =>
  [
    { id: "all", label: `Get every ${one}`, says: "Monitored" },
    { id: "new", label: `Get new ${other} only`, says: `New ${other}` },
    { id: "none", label: "Get nothing automatically", says: "Not monitored" },
  ] as const satisfies readonly { readonly id: Monitor; readonly label: string; readonly says: string }[];

/** One series: its details and its issues. */
@customElement("lb-series-page")
export class SeriesPage extends Page {
  @state() private unfolded = false;
  readonly #seriesBadges = new Badges(this, "series");
  readonly #issueBadges = new Badges(this, "issue");
  readonly #selection = new Selection<number>(this, {
    keyAt: (index) => this.#shown[index]?.id,
    total: () => this.#shown.length,
  });
  readonly #wall = new CoverWall(this, () => undefined, this.#selection);
  /** The issues that the page shows, filtered. */
  #shown: readonly IssueRow[] = [];

  constructor() {
    super();
    new Watch(this, () => [this.longbox.router.match, this.longbox.contributions.parts]);
  }

  readonly #series = new Resource<SeriesDocument>(this, {
    path: () => `/api/collection/${encodeURIComponent(String(this.subject["id"]))}`,
    domains: ["collection"],
    arrived: (series) => this.longbox.titled(series.title),
  });

  static override styles = [
    page,
    walls,
    selectionBarStyle,
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
    return this.#series.render((series) => html`${this.#top(series)} ${this.#issues(series)}`, {
      ...pageStates,
      waiting: html`<h1 class="hidden">Series</h1>
        ${skeleton()}`,
    });
  }

  #top(series: SeriesDocument) {
    const facts = [series.publisher, series.year, series.status === "unknown" ? undefined : series.status].filter(
      (fact) => fact !== null && fact !== undefined,
    );
    return html`<lb-backdrop .path=${series.cover}></lb-backdrop>
      <div class="top">
        <div class="sleeve">${cover({ path: series.cover, title: series.title, sizes: "240px", isEager: true })}</div>
        <div class="facts">
          <p class="label">${facts.join(" · ")}</p>
          <h1>${series.title}</h1>
          <p class="row">
            <span class="tag ${isComplete(series) ? "good" : ""}">${ownedOf(series)}</span>
            ${series.corrupt > 0 ? html`<span class="tag bad">${count(series.corrupt, "damaged file")}</span>` : nothing}
            ${series.matched ? nothing : html`<span class="tag">Not matched yet</span>`}
            ${series.restricted ? html`<span class="tag warn">Restricted</span>` : nothing}
            <span class="label">${bytes(series.size)}</span>
          </p>
        </div>
        <div class="more">
          <div class="actions">
            ${this.#seriesActions(series)}
            <lb-slot name="series.actions" .longbox=${this.longbox} .subject=${{ series }}></lb-slot>
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

  #seriesActions(series: SeriesDocument) {
    const { facts } = this.#seriesBadges.of(series.id);
    const actions = this.longbox.actions({ kind: "series", items: [{ ...series, ...facts }] });
    const isManager = this.longbox.may("library.manage");
    const [first] = actions.filter(({ isPrimary }) => isPrimary);
    return html`${first ? actionButton(first, "primary") : nothing}
      <button aria-pressed=${series.followed ? "true" : "false"} @click=${() => this.#follow(series)}>
        ${icon("heart")}${series.followed ? "Followed" : "Follow"}
      </button>
      ${isManager ? this.#monitorMenu(series) : nothing}
      ${actionBar(
        actions.filter((action) => action !== first),
        { label: "More for this series", own: isManager ? this.#keeping(series) : [], mostButtons: 0 },
      )}`;
  }

  #monitorMenu(series: SeriesDocument) {
    const monitors = monitorsOf(series);
    const says = monitors.find(({ id }) => id === series.monitor)?.says ?? "Monitor";
    const items = monitors.map(({ id, label }) => ({
      label,
      isChecked: id === series.monitor,
      run: () => this.#monitor(series, id),
    }));
    return menuButton(html`${says}${icon("down")}`, () => ({ label: "Monitoring", items }), { icon: "eye" });
  }

  #keeping(series: SeriesDocument): readonly MenuItem[] {
    return [
      { label: "Scan its folder", icon: "scan", run: () => this.#scan(series) },
      {
        label: series.restricted ? "Lift the restriction" : "Restrict",
        icon: "lock",
        run: () => this.#restrict(series),
      },
      { label: "Remove from the library", icon: "trash", isDangerous: true, run: () => this.#remove(series) },
    ];
  }

  #issues(series: SeriesDocument) {
    const show = this.#choiceOf("show", shows);
    const reading = this.#choiceOf("reading", readings);
    const view = this.#choiceOf("view", views);
    this.#shown = series.issues.filter((issue) => fitsShow(issue, show) && this.#fitsReading(issue, reading));
    const { one, other } = series.unit;
    return html`<section aria-label=${capital(other)}>
      <div class="bar">
        <h2>${count(series.issues.length, one, other)}</h2>
        <div class="row">
          ${series.missing > 0 ? this.#choices("show", shows, show) : nothing}
          ${this.#hasReading(series) ? this.#readingMenu(reading) : nothing}
          ${views.map(({ id, label }) => html`<button class="round" aria-pressed=${view === id} aria-label=${label} title=${label} @click=${() => this.#choose("view", id, views)}>${icon(id)}</button>`)}
        </div>
      </div>
      ${series.gaps.length > 0 ? html`<p class="soft">Missing numbers: ${gapsOf(series)}</p>` : nothing}
      ${
        this.#shown.length === 0 && series.issues.length > 0
          ? notice({
              drawing: "search",
              heading: `No ${one} fits`,
              text: `No ${one} of this series matches the filters.`,
              action: { label: "Show all", run: () => this.#showAll() },
            })
          : view === "grid"
            ? this.#covers(series)
            : this.#list(series)
      }
      ${this.#selectionBar(series)}
    </section>`;
  }

  #list(series: SeriesDocument) {
    return html`<lb-issue-list
      .longbox=${this.longbox}
      .issues=${this.#shown}
      .label=${capital(series.unit.other)}
      .selection=${this.#selection}
      .badges=${this.#issueBadges}
      .revision=${{}}
    ></lb-issue-list>`;
  }

  #covers(series: SeriesDocument) {
    return this.#wall.render({
      label: capital(series.unit.other),
      total: this.#shown.length,
      cardAt: (index) => {
        const issue = this.#shown[index];
        return issue && issueCard(issue, series.title, this.#issueBadges.of(issue.id).badges);
      },
      isSelected: (index) => this.#selection.has(this.#shown[index]?.id ?? 0),
      menu: (index, at) => this.#menu(index, at),
    });
  }

  #menu(index: number, at: Element | Point): void {
    const issue = this.#shown[index];
    if (!issue) return;
    const label = issue.label.short;
    const open = {
      label: `Open ${label}`,
      icon: "next",
      run: () => this.longbox.navigate(`/issue/${issue.cvIssueId}`),
    };
    const select = { label: "Select", icon: "check", run: () => this.#selection.toggle(index) };
    const actions = actionItems(this.longbox.actions({ kind: "issue", items: [this.#subject(issue)] }));
    openMenu({ label, at, items: [open, select, ...(actions.length > 0 ? [rule, ...actions] : [])] });
  }

  #selectionBar({ unit }: SeriesDocument) {
    const chosen = this.#shown.filter(({ id }) => this.#selection.has(id));
    return selectionBar({
      selected: chosen.length,
      one: unit.one,
      many: unit.other,
      actions: this.longbox.actions({ kind: "issue", items: chosen.map((issue) => this.#subject(issue)) }),
      all: () => this.#selection.all(),
      clear: () => this.#selection.clear(),
    });
  }

  #subject(issue: IssueRow) {
    return { ...issue, ...this.#issueBadges.of(issue.id).facts };
  }

  #hasReading({ issues: [first] }: SeriesDocument): boolean {
    return first !== undefined && "reading" in this.#issueBadges.of(first.id).facts;
  }

  #fitsReading(issue: IssueRow, reading: Reading): boolean {
    return reading === "any" || this.#issueBadges.of(issue.id).facts["reading"] === reading;
  }

  #readingMenu(chosen: Reading) {
    const items = readings.map(({ id, label }) => ({
      label,
      isChecked: id === chosen,
      run: () => this.#choose("reading", id, readings),
    }));
    const label = readings.find(({ id }) => id === chosen)?.label;
    return menuButton(html`${label}${icon("down")}`, () => ({ label: "Reading", items }), { icon: "book" });
  }

  #choices<Id extends string>(name: string, choices: readonly Choice<Id>[], chosen: Id) {
    return choices.map(
      ({ id, label }) =>
        html`<button aria-pressed=${chosen === id} @click=${() => this.#choose(name, id, choices)}>${label}</button>`,
    );
  }

  #choiceOf<Id extends string>(name: string, choices: readonly [Choice<Id>, ...Choice<Id>[]]): Id {
    const given = this.longbox.router.match.value.url.searchParams.get(name);
    return (choices.find(({ id }) => id === given) ?? choices[0]).id;
  }

  /** The address contains the filters; the first choice is the default and left out. */
  #choose<Id extends string>(name: string, id: Id, choices: readonly Choice<Id>[]): void {
    const value = id === choices[0]?.id ? "" : id;
    this.longbox.navigate(addressWith(this.longbox.router.match.value.url, { [name]: value }), { replace: true });
  }

  #showAll(): void {
    const { url } = this.longbox.router.match.value;
    this.longbox.navigate(addressWith(url, { show: "", reading: "" }), { replace: true });
  }

  async #follow(series: SeriesDocument): Promise<void> {
    await this.attempt(() =>
      this.longbox.api(`/api/collection/${series.id}/follow`, { method: "POST", body: { follow: !series.followed } }),
    );
    void this.#series.refresh();
  }

  async #monitor(series: SeriesDocument, monitor: Monitor): Promise<void> {
    await this.attempt(() =>
      this.longbox.api(`/api/collection/${series.id}/monitor`, { method: "POST", body: { monitor } }),
    );
    void this.#series.refresh();
  }

  async #scan(series: SeriesDocument): Promise<void> {
    await this.attempt(
      () => this.longbox.api(`/api/collection/${series.id}/scan`, { method: "POST" }),
      "The folder is being read.",
    );
    void this.#series.refresh();
  }

  async #restrict({ id, restricted }: SeriesDocument): Promise<void> {
    const body = { restricted: !restricted };
    await this.attempt(() => this.longbox.api(`/api/collection/${id}/restricted`, { method: "POST", body }));
    void this.#series.refresh();
  }

  async #remove(series: SeriesDocument): Promise<void> {
    const sure = await confirm({
      heading: `Remove ${series.title}?`,
      text: "Longbox removes the series and its data. The files on disk are not changed.",
      action: "Remove",
      isDangerous: true,
    });
    if (!sure) return;
    const gone = await this.attempt(
      () => this.longbox.api(`/api/collection/${series.id}/delete`, { method: "POST" }),
      `${series.title} was removed.`,
    );
    if (gone) this.longbox.back("/library");
  }
}

function fitsShow({ owned }: IssueRow, show: Show): boolean {
  return show === "all" || owned === (show === "owned");
}

/** Missing issues of a series are only known once it is matched. */
function isComplete({ matched, missing }: SeriesDocument): boolean {
  return matched && missing === 0;
}

function ownedOf(series: SeriesDocument): string {
  if (isComplete(series)) return `${number(series.owned)} owned, complete`;
  return series.missing === 0
    ? `${number(series.owned)} owned`
    : `${number(series.owned)} of ${number(series.total)} owned`;
}
