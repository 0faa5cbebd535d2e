import {
  Action,
  base,
  buttons,
  element,
  headings,
  LongboxElement,
  notice,
  notices,
  number,
  pageFrame,
  Resource,
  rich,
  sheet,
  skeleton,
  t,
  tables,
} from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../chrome/icons.js";
import { daysChart, daysStyle } from "./days.js";
import type { Bookmark, Diary } from "@longbox/reader/api";
import { style } from "./style.js";

const days = 30;

/** `/reading`: the user's reading statistics, by days of the user's time zone, and the bookmarks. */
@element("reader-diary")
export class ReaderDiary extends LongboxElement {
  static override styles = [base, headings, buttons, notices, tables, pageFrame, sheet, daysStyle, style];
  readonly #diary = new Resource<Diary>(this, {
    path: `/api/reader/stats?days=${days}&timeZone=${encodeURIComponent(Intl.DateTimeFormat().resolvedOptions().timeZone)}`,
    domains: ["reader"],
  });
  readonly #bookmarks = new Resource<readonly Bookmark[]>(this, { path: "/api/reader/bookmarks", domains: ["reader"] });
  readonly #unmarking = new Action(this, { notify: true });

  override render(): TemplateResult {
    const waiting = skeleton(t("page.leafingBack"));
    return html`<h1>${t("page.yourReading")}</h1>
      ${this.#diary.render((diary) => (diary.pagesRead + diary.issuesFinished === 0 ? unread : this.#sheet(diary)), { waiting })}
      ${this.#bookmarks.render((bookmarks) => this.#marked(bookmarks), { waiting: nothing })}`;
  }

  #sheet(diary: Diary): TemplateResult {
    return html`<p class="statement">${statement(diary)}</p>
      <div class="sheet">
        <section aria-labelledby="days">
          <h2 id="days">${t("page.theLastDays", { days })}</h2>
          ${daysChart(diary.days)}
        </section>
        ${diary.series.length > 0 ? this.#series(diary) : nothing}
      </div>`;
  }

  #series({ series }: Diary): TemplateResult {
    return html`<section aria-labelledby="series">
      <h2 id="series">${t("page.mostRead")}</h2>
      <div class="table-scroll" tabindex="0" role="group" aria-label=${t("page.mostRead")}>
        <table>
          <thead>
            <tr>
              <th scope="col">${t("page.series")}</th>
              <th scope="col" class="number">${t("page.finished")}</th>
              <th scope="col" class="number">${t("page.pages")}</th>
            </tr>
          </thead>
          <tbody>
            ${series.map(
              ({ seriesId, series: title, pages, finished }) =>
                html`<tr>
                  <th scope="row"><a href="/series/${seriesId}">${title}</a></th>
                  <td class="number">${number(finished)}</td>
                  <td class="number">${number(pages)}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </section>`;
  }

  #marked(bookmarks: readonly Bookmark[]): TemplateResult | typeof nothing {
    if (bookmarks.length === 0) return nothing;
    return html`<section class="marked" aria-labelledby="bookmarks">
      <h2 id="bookmarks">${t("page.bookmarks")}</h2>
      <ul class="pages">
        ${bookmarks.map((bookmark) => html`<li>${this.#bookmark(bookmark)}</li>`)}
      </ul>
    </section>`;
  }

  #bookmark({ cvIssueId, series, label, page }: Bookmark): TemplateResult {
    const name = t("page.page", { full: label.full, page: page + 1 });
    const address = `/api/reader/issue/${cvIssueId}/page/${page}`;
    return html`<a href="/read/${cvIssueId}?page=${page}">
        <img
          alt=""
          loading="lazy"
          decoding="async"
          src="${address}?w=320"
          srcset="${address}?w=160 160w, ${address}?w=320 320w"
          sizes="128px"
          @error=${hide}
        />
        <span class="title">${series}</span>
        <span class="note">${t("page.page2", { short: label.short, page: page + 1 })}</span>
      </a>
      <button
        class="icon-only"
        type="button"
        aria-label=${t("page.removeTheBookmark", { name })}
        title=${t("page.removeTheBookmark2")}
        ?disabled=${this.#unmarking.busy}
        @click=${() => this.#unmark(cvIssueId, page)}
      >
        ${icon("close")}
      </button>`;
  }

  #unmark(cvIssueId: number, page: number): void {
    void this.#unmarking.run(async () => {
      await this.post(`/api/reader/issue/${cvIssueId}/bookmark`, { page, on: false });
      await this.#bookmarks.refresh();
    });
  }
}

const unread = notice({
  drawing: "box",
  heading: t("page.nothingReadYet"),
  text: t("page.thisPageCountsThe"),
});

function statement({ pagesRead, issuesFinished, issuesBegun, streak }: Diary): TemplateResult {
  return html`${rich("page.youHaveReadPages", { strong, pagesRead, issuesFinished, issuesBegun })} ${runOf(streak)}`;
}

function runOf({ current, longest }: Diary["streak"]): unknown {
  if (current > 1)
    return rich("page.youHaveBeenReading", { strong, current, longest: longest > current ? longest : 0 });
  return longest > 1 ? rich("page.yourLongestRunWas", { strong, longest }) : nothing;
}

function strong(inside: unknown): TemplateResult {
  return html`<strong>${inside}</strong>`;
}

function hide(event: Event): void {
  (event.target as HTMLElement).hidden = true;
}
