import type { Found } from "@longbox/requests/api";
import { Action, cover, element, LongboxElement, notice, Resource, skeleton, submitted, t } from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import { style } from "./style.js";

const kinds: ReadonlyArray<readonly [Found["kind"], string]> = [
  ["comic", t("search.comics")],
  ["ebook", t("search.eBooks")],
  ["audiobook", t("search.audiobooks")],
];

/** Searches for what can be requested, and makes requests. */
@element("requests-search")
export class RequestsSearch extends LongboxElement {
  static override styles = style;
  @state() private asked: { readonly q: string; readonly kind: string } | undefined;
  readonly #found = new Resource<readonly Found[]>(this, {
    path: () => this.asked && `/api/requests/search?${new URLSearchParams(this.asked).toString()}`,
    domains: ["requests"],
  });
  readonly #action = new Action(this, { notify: true, after: () => this.#found.refresh() });

  override render(): TemplateResult {
    return html`<form class="row" role="search" @submit=${this.#search}>
        <label
          >${t("search.kind")}
          <select name="kind">
            ${kinds.map(([kind, label]) => html`<option value=${kind}>${label}</option>`)}
          </select></label
        >
        <label
          >${t("search.whatAreYouLooking")} <input name="q" type="search" required maxlength="200" autocomplete="off"
        /></label>
        <button class="primary">${t("search.search")}</button>
        ${this.asked ? html`<button type="button" class="quiet" @click=${() => (this.asked = undefined)}>${t("search.clear")}</button>` : nothing}
      </form>
      ${this.asked ? this.#found.render((found) => this.#results(found), { waiting: skeleton() }) : nothing}`;
  }

  #results(found: readonly Found[]): TemplateResult {
    if (found.length === 0)
      return notice({ heading: t("search.nothingWasFound"), text: t("search.tryFewerWords"), drawing: "search" });
    return html`<section>
      <h2>${t("search.found")}</h2>
      <ul>
        ${found.map((row) => this.#row(row))}
      </ul>
    </section>`;
  }

  #row(row: Found): TemplateResult {
    const about = [row.year, row.publisher, row.authors?.join(", ")].filter(Boolean).join(" · ");
    return html`<li class="card">
      ${cover({ path: row.image, hasOneWidth: true, title: row.title })}
      <div class="about">
        <h3>${row.title}</h3>
        ${about === "" ? nothing : html`<p class="soft">${about}</p>`} ${this.#what(row)}
      </div>
    </li>`;
  }

  #what(row: Found): TemplateResult {
    if (row.inLibrary)
      return html`<p>
        <span class="tag good">${t("search.inTheLibrary")}</span>
        ${row.seriesId === undefined ? nothing : html`<a href="/series/${row.seriesId}">${t("search.showIt")}</a>`}
      </p>`;
    const state = row.mine
      ? t("search.youRequestedThis")
      : row.voted
        ? t("search.youVotedForThis")
        : t("search.alreadyRequested");
    const tag = row.requestId === undefined ? nothing : html`<span class="tag busy">${state}</span>`;
    if (row.mine || row.voted) return html`<p>${tag}</p>`;
    const label = row.requestId === undefined ? t("search.request") : t("search.voteForIt");
    return html`<div class="row">
      ${tag}
      <button aria-label="${label}: ${row.title}" ?disabled=${this.#action.busy} @click=${() => this.#ask(row)}>
        ${label}
      </button>
    </div>`;
  }

  #ask(row: Found): void {
    const what =
      row.providerId === undefined ? { kind: row.kind, externalId: row.externalId } : { providerId: row.providerId };
    void this.#action.run(async () => {
      const { state: now, voted } = await this.post<{ state: string; voted?: boolean }>("/api/requests", what);
      const said =
        voted === undefined
          ? now === "pending"
            ? t("search.requested")
            : t("search.approved")
          : t("search.yourVoteWasCounted");
      this.longbox.notify(`${row.title}: ${said}`, { level: "success" });
    });
  }

  readonly #search = (event: SubmitEvent): void => {
    const { q = "", kind = "comic" } = submitted(event);
    this.asked = { q, kind };
  };
}
