import { percent, submitted, t } from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import type { Finding } from "../protocol.js";
import type { Search, Session } from "../page/session.js";

/** Searching in the book: what was found, in the order of the book, under the chapters. */
export function searchPanel(session: Session, goTo: (finding: Finding) => void): TemplateResult {
  const { search } = session;
  const start = (event: Event) => {
    const query = (submitted(event)["query"] ?? "").trim();
    if (query === "") session.endSearch();
    else session.startSearch(query);
  };
  return html`<form class="row" role="search" @submit=${start}>
      <label class="hidden" for="query">${t("search.searchInThisBook")}</label>
      <input id="query" name="query" type="search" autocomplete="off" autofocus .value=${search?.query ?? ""} />
      <button class="primary">${t("search.search")}</button>
    </form>
    ${search ? html`<p class="soft" role="status">${statusOf(search)}</p>` : nothing}
    <ol class="findings">
      ${search?.findings.map((finding, index, all) => entry(finding, all[index - 1], goTo))}
    </ol>`;
}

function statusOf({ findings, done, progress }: Search): string {
  if (!done) return t("search.searching", { value: percent(Math.round(progress * 100), 100) });
  return findings.length === 0 ? t("search.nothingFound") : t("search.placesFound", { findings: findings.length });
}

function entry(finding: Finding, before: Finding | undefined, goTo: (finding: Finding) => void): TemplateResult {
  const { chapter } = finding;
  return html`<li>
    ${chapter !== "" && chapter !== before?.chapter ? html`<p class="label">${chapter}</p>` : nothing}
    <button type="button" @click=${() => goTo(finding)}>
      …${finding.before}<mark>${finding.match}</mark>${finding.after}…
    </button>
  </li>`;
}
