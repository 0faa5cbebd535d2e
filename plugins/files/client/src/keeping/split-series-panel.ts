import { Action, element, LongboxElement, moment, notice, problem, Resource, rich, t } from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import type { SplitSeriesOffers } from "@longbox/collection/api";
import { style } from "../style.js";

type Offer = SplitSeriesOffers["offers"][number];
type Part = Offer["from"];
type Joined = SplitSeriesOffers["joined"][number];

const path = "/api/library/split-series";

/** Series that are probably one, side by side with the reasons; and those that were joined, which can be undone. */
@element("files-split-series")
export class FilesSplitSeries extends LongboxElement {
  static override styles = style;
  readonly #split = new Resource<SplitSeriesOffers>(this, { path, domains: ["collection"] });
  readonly #action = new Action(this, { after: () => this.#split.refresh() });

  override render(): unknown {
    return this.#split.render(({ offers, joined }) => this.#list(offers, joined));
  }

  #list(offers: readonly Offer[], joined: readonly Joined[]): TemplateResult {
    if (offers.length === 0)
      return html`${notice({
        drawing: "box",
        heading: t("splitSeriesPanel.noSeriesLooksSplit"),
        text: t("splitSeriesPanel.whereOneSeriesLooks"),
      })}
      ${problem(this.#action.problem)} ${joined.length === 0 ? nothing : this.#joined(joined)}`;
    return html`<div class="card">
        <h2>${t("splitSeriesPanel.seriessMayBelongTo", { offers: offers.length })}</h2>
        <p class="soft">${t("splitSeriesPanel.aJoinedSeriesKeeps")}</p>
        ${problem(this.#action.problem)}
      </div>
      ${offers.map((offer) => this.#offer(offer))} ${joined.length === 0 ? nothing : this.#joined(joined)}`;
  }

  #offer({ from, to, reasons }: Offer): TemplateResult {
    return html`<section class="card" aria-label=${t("splitSeriesPanel.and", { title: from.title, title2: to.title })}>
      <div class="row">${[to, from].map((part) => this.#part(part))}</div>
      <ul class="soft">
        ${reasons.map((reason) => html`<li>${this.longbox.said(reason)}</li>`)}
      </ul>
      <div class="row">
        <button ?disabled=${this.#action.busy} @click=${() => this.#join(from, to)}>
          ${t("splitSeriesPanel.joinThem")}
        </button>
        <button ?disabled=${this.#action.busy} @click=${() => this.#keepApart(from, to)}>
          ${t("splitSeriesPanel.theyAreTwo")}
        </button>
      </div>
    </section>`;
  }

  #part({ id, title, year, owned, cover }: Part): TemplateResult {
    return html`<figure>
      <img src=${`${cover}?w=160`} alt=${t("splitSeriesPanel.theCoverOf", { title })} width="120" loading="lazy" />
      <figcaption>
        <a href=${`/series/${id}`}>${title}${year === null ? nothing : ` (${year})`}</a>
        <p class="soft">${t("splitSeriesPanel.issuesOwned", { owned })}</p>
      </figcaption>
    </figure>`;
  }

  #joined(joined: readonly Joined[]): TemplateResult {
    return html`<section class="card" aria-labelledby="joined">
      <h2 id="joined">${t("splitSeriesPanel.joined")}</h2>
      <ul>
        ${joined.map(
          ({ id, title, seriesId, seriesTitle, joinedAt }) =>
            html`<li class="row spread">
              <span
                >${rich("splitSeriesPanel.into", { title, link: (inside: unknown) => html`<a href=${`/series/${seriesId}`}>${inside}</a>`, seriesTitle })}
                <span class="soft">${moment(joinedAt)}</span></span
              >
              <button ?disabled=${this.#action.busy} @click=${() => this.#undo(id)}>
                ${t("splitSeriesPanel.undo")}
              </button>
            </li>`,
        )}
      </ul>
    </section>`;
  }

  async #join(from: Part, to: Part): Promise<void> {
    await this.#action.run(async () => {
      await this.post(`${path}/join`, { from: from.id, to: to.id });
      this.longbox.notify(t("splitSeriesPanel.belongsToNow", { title: from.title, title2: to.title }), {
        level: "success",
      });
    });
  }

  async #keepApart(from: Part, to: Part): Promise<void> {
    await this.#action.run(() => this.post(`${path}/apart`, { from: from.id, to: to.id }));
  }

  async #undo(id: number): Promise<void> {
    await this.#action.run(() => this.post(`${path}/joined/${id}/undo`));
  }
}
