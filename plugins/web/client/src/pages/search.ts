import type { SearchAnswer } from "@longbox/collection/api";
import { notice, notices, Resource, skeleton, t, tabs, trouble } from "@longbox/sdk/ui";
import { css, html, nothing } from "lit";
import { customElement } from "lit/decorators.js";
import { resultLine, resultStyle } from "../finding/result-line.js";
import { groupsOf, inOrder, type ResultGroup } from "../finding/results.js";
import { addressWith } from "../shell/library-choices.js";
import { Watch } from "../shell/observable.js";
import { page } from "../styles/index.js";
import { Page } from "./page.js";

const ofEachGroup = 60;
/** Of each group, where all of them are shown. */
const first = 8;

/** Everything that was found for a text, by group. The address holds the text and the group. */
@customElement("lb-search-page")
export class SearchPage extends Page {
  readonly #found = new Resource<SearchAnswer>(this, {
    path: () => {
      const q = this.#parameter("q");
      return q === ""
        ? undefined
        : `/api/search?${new URLSearchParams({ q: q.slice(0, 200), limit: String(ofEachGroup) })}`;
    },
    domains: ["collection"],
  });

  constructor() {
    super();
    new Watch(this, () => [this.longbox.router.match]);
  }

  static override styles = [
    page,
    notices,
    tabs,
    resultStyle,
    css`
      section h2 {
        margin-bottom: var(--lb-space-2);
      }
      section {
        margin-bottom: var(--lb-space-5);
      }
      section p a {
        display: inline-block;
        padding-block: var(--lb-space-2);
      }
      section ul {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr));
        gap: var(--lb-space-1) var(--lb-space-3);
        margin: 0;
        padding: 0;
        list-style: none;
      }
      .result:hover {
        background: var(--lb-accent-soft);
      }
    `,
  ];

  override willUpdate(): void {
    const q = this.#parameter("q");
    this.longbox.titled(q === "" ? t("search.search") : `“${q}”`);
  }

  override render() {
    const q = this.#parameter("q");
    return html`<div class="page-head"><h1>${q === "" ? t("search.search") : `“${q}”`}</h1></div>
      ${
        q === ""
          ? notice({ drawing: "search", heading: t("search.nothingToSearchFor"), text: t("search.pressAndTypeWhat") })
          : this.#found.render((answer) => this.#results(answer), {
              waiting: skeleton(t("search.searching")),
              failed: (_, retry, thrown) => trouble(thrown, retry),
            })
      }`;
  }

  #results(answer: SearchAnswer) {
    const groups = inOrder(groupsOf(answer, (text) => this.longbox.said(text)));
    const chosen = groups.find(({ id }) => id === this.#parameter("group"));
    if (groups.length === 0)
      return notice({
        drawing: "search",
        heading: t("search.nothingFound"),
        text: t("search.tryFewerLettersAnother"),
      });
    return html`<nav class="tabs" aria-label=${t("search.kindsOfResults")}>
        ${this.#tab({ id: "", label: t("search.all"), size: answer.items.length }, chosen === undefined)}
        ${groups.map(({ id, label, results }) => this.#tab({ id, label, size: results.length }, id === chosen?.id))}
      </nav>
      ${answer.partial ? html`<p class="soft" role="status">${t("search.aPluginDidNot")}</p>` : nothing}
      ${chosen ? this.#group(chosen, ofEachGroup) : groups.map((group) => this.#group(group, first))}`;
  }

  #tab({ id, label, size }: { id: string; label: string; size: number }, isChosen: boolean) {
    const shown = size >= ofEachGroup && id !== "" ? `${size}+` : String(size);
    return html`<a
      href=${addressWith(this.longbox.router.match.value.url, { group: id })}
      aria-current=${isChosen ? "page" : nothing}
      @click=${this.#chooseGroup}
      >${label} <span class="soft">${shown}</span></a
    >`;
  }

  /** Another group replaces the entry of the history, so that going back leaves the search. */
  readonly #chooseGroup = (event: MouseEvent): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    this.longbox.navigate((event.currentTarget as HTMLAnchorElement).href, { replace: true });
  };

  #group({ id, label, results }: ResultGroup, most: number) {
    const rest = results.length - most;
    return html`<section aria-labelledby="group-${id}">
      <h2 id="group-${id}">${label}</h2>
      <ul>
        ${results.slice(0, most).map((result) => html`<li><a class="result" href=${result.href ?? ""}>${resultLine(result)}</a></li>`)}
      </ul>
      ${
        rest > 0
          ? html`<p>
              <a href=${addressWith(this.longbox.router.match.value.url, { group: id })}
                >${t("search.moreResults", { rest })}</a
              >
            </p>`
          : nothing
      }
      ${
        id === "series" && results.length >= ofEachGroup
          ? html`<p>
              <a href="/library?${new URLSearchParams({ search: this.#parameter("q") })}">${t("search.allOfThemIn")}</a>
            </p>`
          : nothing
      }
    </section>`;
  }

  #parameter(name: string): string {
    return this.longbox.router.match.value.url.searchParams.get(name)?.trim() ?? "";
  }
}
