import type { Result } from "@longbox/downloads/api";
import { Action, bytes, element, icon, LongboxElement, notice, problem, submitted, t } from "@longbox/sdk/ui";
import type { ClientSubjects } from "@longbox/sdk/client";
import { html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import { style } from "./style.js";

/** Searches sources for an issue, or for packs of a series, and shows what speaks for and against each result. */
@element("downloads-search")
export class DownloadsSearch extends LongboxElement<Partial<ClientSubjects>> {
  static override styles = [style];
  @state() private found: readonly Result[] | undefined;
  readonly #search = new Action(this);
  readonly #grab = new Action(this);

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#ask("");
  }

  override render(): TemplateResult {
    return html`<form
        class="row"
        role="search"
        @submit=${(event: SubmitEvent) => void this.#ask(submitted(event)["query"]?.trim() ?? "")}
      >
        <label class="field"
          >${t("searchDialog.searchForOtherWords")}<input name="query" type="search" maxlength="200" autocomplete="off"
        /></label>
        <button ?disabled=${this.#search.busy}>${t("searchDialog.search")}</button>
      </form>
      ${problem(this.#search.problem ?? this.#grab.problem)}
      <div role="status" aria-live="polite" class="soft">
        ${this.#search.busy ? t("searchDialog.searchingTheSources") : this.found ? t("searchDialog.results", { found: this.found.length }) : nothing}
      </div>
      ${this.found && !this.#search.busy ? this.#results(this.found) : nothing}`;
  }

  get #target(): { readonly seriesId: number; readonly cvIssueId?: number } {
    const { kind, items = [] } = this.subject;
    const [item] = items;
    if (kind === "series") return { seriesId: Number(item?.["id"]) };
    return { seriesId: Number(item?.["seriesId"]), cvIssueId: Number(item?.["cvIssueId"]) };
  }

  async #ask(query: string): Promise<void> {
    const isPacks = this.subject.kind === "series";
    const body = { ...this.#target, ...(query !== "" && { query }) };
    await this.#search.run(async () => {
      this.found = await this.post<readonly Result[]>(isPacks ? "/api/packs/search" : "/api/search", body);
    });
  }

  #results(found: readonly Result[]): TemplateResult {
    if (found.length === 0)
      return notice({
        drawing: "search",
        heading: t("searchDialog.nothingWasFound"),
        text: t("searchDialog.tryOtherWordsOr"),
      });
    return html`<div class="table-scroll" tabindex="0" role="region" aria-label=${t("searchDialog.results2")}>
      <table>
        <thead>
          <tr>
            <th scope="col">${t("searchDialog.release")}</th>
            <th scope="col">${t("searchDialog.source")}</th>
            <th scope="col">${t("searchDialog.size")}</th>
            <th scope="col">${t("searchDialog.score")}</th>
            <th scope="col">${t("searchDialog.reasons")}</th>
            <th scope="col"><span class="hidden">${t("searchDialog.actions")}</span></th>
          </tr>
        </thead>
        <tbody>
          ${found.map((result) => this.#row(result))}
        </tbody>
      </table>
    </div>`;
  }

  #row(result: Result): TemplateResult {
    const { title, source, size, score, accepted, reasons, issues, pack } = result;
    const missing = issues.filter(({ owned }) => !owned);
    return html`<tr>
      <td>
        ${title} ${pack ? html`<span class="tag">${t("searchDialog.pack")}</span>` : nothing}
        ${pack ? html`<p class="soft">${t("searchDialog.adds", { value: missing.length === 0 ? t("searchDialog.nothing") : missing.map(({ label }) => label).join(", ") })}</p>` : nothing}
      </td>
      <td data-label=${t("searchDialog.source")}>${source}</td>
      <td data-label=${t("searchDialog.size")}>${size === undefined ? t("searchDialog.unknown") : bytes(size)}</td>
      <td data-label=${t("searchDialog.score")}>${signed(score)}</td>
      <td>
        <ul class="reasons">
          ${reasons.map(({ text, against }) => html`<li class=${against ? "problem" : ""}>${icon(against ? "close" : "check")}<span>${this.longbox.said(text)}</span></li>`)}
        </ul>
      </td>
      <td class="actions">
        <button
          class=${accepted ? "primary" : ""}
          aria-label=${t("searchDialog.get", { title })}
          ?disabled=${this.#grab.busy}
          @click=${() => this.#take(result)}
        >
          ${t("searchDialog.get2")}
        </button>
      </td>
    </tr>`;
  }

  async #take(result: Result): Promise<void> {
    const path = result.pack ? "/api/packs/grab" : "/api/search/grab";
    const { seriesId, cvIssueId } = this.#target;
    const body = { result: { id: result.id }, seriesId, ...(!result.pack && cvIssueId !== undefined && { cvIssueId }) };
    if (await this.#grab.run(() => this.post(path, body), t("searchDialog.isInTheQueue", { title: result.title })))
      this.dispatchEvent(new Event("done"));
  }
}

/** With a minus sign in place of a hyphen. */
const signed = (score: number) => (score < 0 ? `−${-score}` : String(score));
