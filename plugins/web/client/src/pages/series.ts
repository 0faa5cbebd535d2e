import {
  actionBar,
  actionButton,
  actionItems,
  type BadgedFacts,
  Badges,
  bytes,
  count,
  cover,
  CoverWall,
  icon,
  notice,
  openMenu,
  wholePageStates,
  type Point,
  Resource,
  rule,
  Selection,
  skeleton,
  t,
  walls,
} from "@longbox/sdk/ui";
import { html, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";
import "../elements/backdrop.js";
import "../elements/issue-list.js";
import "../elements/slot.js";
import type { IssueRow, SeriesDocument } from "@longbox/collection/api";
import { gapsOf, issueCard } from "@longbox/collection/client";
import { selectionBar, selectionBarStyle } from "../elements/selection-bar.js";
import { Watch } from "../shell/observable.js";
import { capital, plainText } from "../shell/wording.js";
import { page } from "../styles/index.js";
import { Page } from "./page.js";
import { SeriesFilters } from "./series/filters.js";
import { SeriesKeeping } from "./series/keeping.js";
import { seriesStyle } from "./series/style.js";

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
  readonly #filters = new SeriesFilters(
    () => this.longbox,
    (issue) => this.#issueBadges.of(issue.id).facts["reading"],
  );
  readonly #keeping = new SeriesKeeping({
    shell: () => this.longbox,
    attempt: (work, done) => this.attempt(work, done),
    changed: () => void this.#series.refresh(),
  });
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

  static override styles = [page, walls, selectionBarStyle, seriesStyle];

  override render() {
    // Asked for together with the series: what has been read decides which buttons there are.
    this.#seriesBadges.of(Number(this.subject["id"]));
    return this.#series.render((series) => html`${this.#top(series)} ${this.#issues(series)}`, {
      ...wholePageStates,
      waiting: html`<h1 class="hidden">${t("series.series")}</h1>
        ${skeleton()}`,
    });
  }

  #top(series: SeriesDocument) {
    const facts = [series.publisher, series.year, statusLabels[series.status]].filter(
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
            ${readOf(this.#seriesBadges.of(series.id).facts)}
            ${series.corrupt > 0 ? html`<span class="tag bad">${t("series.damagedFiles", { corrupt: series.corrupt })}</span>` : nothing}
            ${series.matched ? nothing : html`<span class="tag">${t("series.notMatchedYet")}</span>`}
            ${series.restricted ? html`<span class="tag warn">${t("series.restricted")}</span>` : nothing}
            <span class="label">${bytes(series.size)}</span>
          </p>
        </div>
        <div class="more">
          <div class="actions">
            ${this.#seriesActions(series)}
            <lb-slot name="series.actions" .longbox=${this.longbox} .subject=${{ series }}></lb-slot>
          </div>
          ${this.#about(series)}
          ${
            series.location
              ? html`<details>
                  <summary>${t("series.folder")}</summary>
                  <p class="path soft">${series.location}</p>
                </details>`
              : nothing
          }
        </div>
      </div>`;
  }

  #about(series: SeriesDocument) {
    const text = series.description ? plainText(series.description) : "";
    if (text === "") return nothing;
    return html`<p class="prose about ${this.unfolded ? "" : "folded"}" dir="auto">${text}</p>
      ${text.length > 320 ? html`<p><button class="quiet" aria-expanded=${this.unfolded} @click=${() => (this.unfolded = !this.unfolded)}>${this.unfolded ? t("series.less") : t("series.more")}</button></p>` : nothing}`;
  }

  #seriesActions(series: SeriesDocument) {
    const { facts } = this.#seriesBadges.of(series.id);
    const actions = this.longbox.actions({ kind: "series", items: [{ ...series, ...facts }] });
    const isManager = this.longbox.may("library.manage");
    const [first] = actions.filter(({ isPrimary }) => isPrimary);
    return html`${first ? actionButton(first, "primary") : nothing}
      <button aria-pressed=${series.followed ? "true" : "false"} @click=${() => this.#keeping.follow(series)}>
        ${icon("heart")}${series.followed ? t("series.followed") : t("series.follow")}
      </button>
      ${isManager ? this.#keeping.monitorMenu(series) : nothing}
      ${actionBar(
        actions.filter((action) => action !== first),
        { label: t("series.moreForThisSeries"), own: isManager ? this.#keeping.items(series) : [], mostButtons: 0 },
      )}`;
  }

  #issues(series: SeriesDocument) {
    const filters = this.#filters;
    const view = filters.view;
    this.#shown = series.issues.filter((issue) => filters.fits(issue));
    const { one, other } = this.#unit(series);
    return html`<section aria-label=${capital(other)}>
      <div class="bar">
        <h2>${count(series.issues.length, one, other)}</h2>
        <div class="row">
          ${series.missing > 0 ? filters.showChoices() : nothing}
          ${filters.hasReading(series, this.#seriesBadges.of(series.id).facts) ? filters.readingMenu() : nothing}
          ${filters.viewChoices()}
        </div>
      </div>
      ${series.gaps.length > 0 ? html`<p class="gaps soft">${t("series.missingNumbers", { series: gapsOf(series) })}</p>` : nothing}
      ${
        this.#shown.length === 0 && series.issues.length > 0
          ? notice({
              drawing: "search",
              heading: t("series.noFits", { one }),
              text: t("series.noOfThisSeries", { one }),
              action: { label: t("series.showAll"), run: () => filters.clear() },
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
      .label=${capital(this.#unit(series).other)}
      .selection=${this.#selection}
      .badges=${this.#issueBadges}
      .revision=${{}}
    ></lb-issue-list>`;
  }

  #covers(series: SeriesDocument) {
    return this.#wall.render({
      label: capital(this.#unit(series).other),
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
      label: t("series.open", { label }),
      icon: "next",
      run: () => this.longbox.navigate(`/issue/${issue.cvIssueId}`),
    };
    const select = { label: t("series.select"), icon: "check", run: () => this.#selection.toggle(index) };
    const actions = actionItems(this.longbox.actions({ kind: "issue", items: [this.#subject(issue)] }));
    openMenu({ label, at, items: [open, select, ...(actions.length > 0 ? [rule, ...actions] : [])] });
  }

  /** The words of its library type. */
  #unit({ unit }: SeriesDocument) {
    return { one: this.longbox.texts.said(unit.one), other: this.longbox.texts.said(unit.other) };
  }

  #selectionBar(series: SeriesDocument) {
    const unit = this.#unit(series);
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
}

const statusLabels = { ongoing: t("series.ongoing"), ended: t("series.ended"), unknown: undefined };

/** How much of what is owned the user has read, where a plugin says so. */
function readOf({ readCount, readOf: all }: BadgedFacts["facts"]) {
  if (typeof readCount !== "number" || typeof all !== "number") return nothing;
  return html`<span class="tag busy">${icon("book")}${t("series.ofRead", { readCount, all })}</span>`;
}

/** Missing issues of a series are only known once it is matched. */
function isComplete({ matched, missing }: SeriesDocument): boolean {
  return matched && missing === 0;
}

function ownedOf(series: SeriesDocument): string {
  if (isComplete(series)) return t("series.ownedComplete", { owned: series.owned });
  const { owned, total, missing, numberGaps } = series;
  return missing + numberGaps === 0
    ? t("series.owned", { owned })
    : t("series.ofOwned", { owned, total: total + numberGaps });
}
