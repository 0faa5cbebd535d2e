import { count, Resource } from "@longbox/sdk/ui";
import { css, html, nothing } from "lit";
import { customElement } from "lit/decorators.js";
import { cardStyles, cardTemplate, seriesCard } from "../elements/cover-card.js";
import "../elements/scan-progress.js";
import "../elements/slot.js";
import "../elements/icon.js";
import "../elements/states.js";
import "../elements/strip.js";
import type { LibraryList, SeriesRow } from "../shell/shapes.js";
import { base, buttons, pages, type } from "../styles/index.js";
import { Page } from "./page.js";

/** What one comes back for: what plugins show here (such as where one was reading), and what is new. */
@customElement("lb-home-page")
export class HomePage extends Page {
  readonly #added = new Resource<readonly SeriesRow[]>(this, { path: () => this.#path("sort=added"), domains: ["collection"] });
  readonly #followed = new Resource<readonly SeriesRow[]>(this, { path: () => this.#path("filter=followed&sort=latest"), domains: ["collection"] });
  readonly #counts = new Resource<Record<string, number>>(this, { path: () => (this.longbox.may("library.view") ? "/api/collection/counts" : undefined), domains: ["collection"] });
  readonly #libraries = new Resource<LibraryList>(this, { path: () => (this.longbox.may("library.view") ? "/api/libraries" : undefined), domains: ["libraries"] });

  static override styles = [
    base,
    type,
    buttons,
    pages,
    cardStyles,
    css`
      .sections {
        gap: var(--lb-space-6);
      }
      lb-slot[name="home"] {
        display: none;
      }
      lb-slot[name="home"][filled] {
        display: grid;
        gap: var(--lb-space-6);
        min-width: 0;
      }
      lb-slot[name="home"] > * {
        min-width: 0;
      }
      .sections > * {
        min-width: 0;
      }
    `,
  ];

  override render() {
    const all = this.#counts.value?.["all"];
    const nothingYet = all === 0 && (this.#libraries.value?.libraries.length ?? 0) === 0;
    return html`
      <div class="page-head">
        <div>
          <h1>${greeting(new Date().getHours())}, ${this.longbox.user.username}</h1>
          ${all === undefined ? nothing : html`<p class="label">${count(all, "series", "series")} in the box</p>`}
        </div>
      </div>
      <lb-scan-progress .longbox=${this.longbox}></lb-scan-progress>
      ${nothingYet || this.#libraries.error !== undefined ? this.#empty() : nothing}
      <div class="sections">
        <lb-slot name="home" .longbox=${this.longbox}></lb-slot>
        ${this.#shelf("Series added lately", this.#added.value, "/library?sort=added")} ${this.#shelf("Followed", this.#followed.value, "/library?filter=followed&sort=latest")}
      </div>
    `;
  }

  #shelf(heading: string, series: readonly SeriesRow[] | undefined, href: string) {
    if (!series || series.length === 0) return nothing;
    return html`<lb-strip heading=${heading} href=${href}>${series.map((row) => html`<div>${cardTemplate(seriesCard(row), { sizes: "176px" })}</div>`)}</lb-strip>`;
  }

  #empty() {
    if (this.#libraries.error !== undefined) return html`<lb-empty heading="Nothing to show"><p>The plugin that keeps the collection is switched off.</p></lb-empty>`;
    const manage = this.longbox.may("library.manage");
    return html`<lb-empty heading="The box is empty">
      <p>${manage ? "Name a folder that holds comics; Longbox reads what is there and changes nothing." : "Nothing has been put in here yet."}</p>
      ${manage ? html`<a slot="action" class="button primary" href="/welcome"><lb-icon name="plus"></lb-icon>Add a library</a>` : nothing}
    </lb-empty>`;
  }

  #path(query: string): string | undefined {
    return this.longbox.may("library.view") ? `/api/collection?${query}&limit=24` : undefined;
  }
}

function greeting(hour: number): string {
  if (hour < 5) return "Still up";
  if (hour < 12) return "Good morning";
  return hour < 18 ? "Good afternoon" : "Good evening";
}
