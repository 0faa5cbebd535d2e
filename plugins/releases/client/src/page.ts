import type { ReleaseList } from "@longbox/releases/api";
import {
  Action,
  element,
  fromNow,
  icon,
  LongboxElement,
  month,
  notice,
  pageFrame,
  Resource,
  skeleton,
  t,
  valueOf,
  locale,
} from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import { live } from "lit/directives/live.js";
import { style } from "./style.js";

const choices = [
  ["all", t("page.everything")],
  ["mine", t("page.yourPullList")],
  ["tracked", t("page.inTheLibrarysSeries")],
  ["wanted", t("page.wanted")],
  ["first", t("page.firstIssues")],
] as const;

const days = new Intl.DateTimeFormat(locale, { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
const isMonth = (when: string | undefined): boolean => /^\d{4}-\d\d$/.test(when ?? "");

/** `/releases`: what comes out, by week or by month. */
@element("releases-page")
export class ReleasesPage extends LongboxElement<{ readonly when?: string }> {
  static override styles = [style, pageFrame];
  @state() private show = "all";
  @state() private q = "";
  readonly #list = new Resource<ReleaseList>(this, {
    path: () => {
      const { when } = this.subject;
      const wanted = when === undefined ? {} : isMonth(when) ? { month: when } : { week: when };
      const narrowed = { show: this.show, ...(this.q !== "" && { q: this.q }) };
      return `/api/releases?${new URLSearchParams({ ...wanted, ...narrowed }).toString()}`;
    },
    domains: ["releases", "collection", "queue"],
    keep: true,
  });
  readonly #checking = new Action(this, { notify: true });

  override render(): TemplateResult {
    return html`<div class="page-head">
        <h1>${t("page.releases")}</h1>
        <releases-feeds .longbox=${this.longbox}></releases-feeds>
      </div>
      ${this.#list.render((list) => this.#shown(list), { waiting: skeleton() })}`;
  }

  #shown(list: ReleaseList): TemplateResult {
    return html`<div class="row spread bar">${this.#walk(list)} ${this.#filters()}</div>
      <div class="row spread state">${this.#state(list)}</div>
      ${this.#body(list)}`;
  }

  #walk(list: ReleaseList): TemplateResult {
    const other = list.month === null ? list.from.slice(0, 7) : `${list.month}-01`;
    return html`<nav class="row" aria-label=${t("page.weeksAndMonths")}>
      <a
        class="button"
        href="/releases/${list.previous}"
        aria-label=${list.month === null ? t("page.theWeekBefore") : t("page.theMonthBefore")}
        ><span class="flipped">${icon("next")}</span></a
      >
      <h2 class="when">${headingOf(list)}</h2>
      <a
        class="button"
        href="/releases/${list.next}"
        aria-label=${list.month === null ? t("page.theWeekAfter") : t("page.theMonthAfter")}
        >${icon("next")}</a
      >
      <a class="button" href="/releases">${t("page.thisWeek")}</a>
      <a class="button" href="/releases/${other}">${list.month === null ? t("page.month") : t("page.week")}</a>
    </nav>`;
  }

  #filters(): TemplateResult {
    return html`<form class="row" role="search" @submit=${(event: Event) => event.preventDefault()}>
      <label
        ><span class="hidden">${t("page.show")}</span>
        <select name="show" @change=${(event: Event) => (this.show = valueOf(event))}>
          ${choices.map(([value, label]) => html`<option value=${value} .selected=${live(value === this.show)}>${label}</option>`)}
        </select></label
      >
      <label
        ><span class="hidden">${t("page.find")}</span>
        <input
          name="q"
          type="search"
          placeholder=${t("page.findASeries")}
          maxlength="200"
          autocomplete="off"
          .value=${this.q}
          @input=${(event: Event) => (this.q = valueOf(event).trim())}
      /></label>
    </form>`;
  }

  #state({ checkedAt, week }: ReleaseList): TemplateResult {
    const check = () =>
      this.#checking.run(
        () => this.post("/api/releases/check", week === null ? {} : { week }),
        t("page.releasesAreBeingFetched"),
      );
    return html`<span class="label"
        >${checkedAt === null ? t("page.notCompleteYet") : t("page.updated", { checkedAt: fromNow(checkedAt) })}</span
      >
      ${
        this.longbox.may("library.manage")
          ? html`<button class="quiet" ?disabled=${this.#checking.busy} @click=${check}>
              ${icon("scan")} ${t("page.refresh")}
            </button>`
          : nothing
      }`;
  }

  #body(list: ReleaseList): TemplateResult {
    if (list.month !== null) return html`<releases-month .longbox=${this.longbox} .list=${list}></releases-month>`;
    if (list.releases.length > 0) return html`<releases-week .longbox=${this.longbox} .list=${list}></releases-week>`;
    const isNarrowed = this.show !== "all" || this.q !== "";
    return notice({
      heading: isNarrowed ? t("page.nothingFits") : t("page.nothingIsKnownOf"),
      text: isNarrowed ? t("page.chooseAnotherFilterOr") : t("page.releasesAreFetchedEvery"),
      drawing: isNarrowed ? "search" : "box",
    });
  }
}

/** `November 2026`, or `16–22 Nov 2026`. */
function headingOf({ month: shown, from, to }: ReleaseList): string {
  return shown === null ? days.formatRange(Date.parse(from), Date.parse(to)) : month(from);
}
