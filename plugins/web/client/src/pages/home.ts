import { Badges, count, notice, Resource, shelf, shelfSkeleton, trouble, walls } from "@longbox/sdk/ui";
import { css, html, nothing } from "lit";
import { customElement } from "lit/decorators.js";
import { seriesCard } from "@longbox/collection/client";
import { HeldHeight } from "../elements/held-height.js";
import "../elements/scan-progress.js";
import "../elements/slot.js";
import type { LibraryList, SeriesRow } from "@longbox/collection/api";
import { page } from "../styles/index.js";
import { Page } from "./page.js";

/** The home page: elements of plugins, such as the current reading, and what is new. */
@customElement("lb-home-page")
export class HomePage extends Page {
  readonly #added = new Resource<readonly SeriesRow[]>(this, {
    path: () => this.#path("sort=added"),
    domains: ["collection"],
  });
  readonly #followed = new Resource<readonly SeriesRow[]>(this, {
    path: () => this.#path("filter=followed&sort=latest"),
    domains: ["collection"],
  });
  readonly #counts = new Resource<Record<string, number>>(this, {
    path: () => (this.longbox.may("library.view") ? "/api/collection/counts" : undefined),
    domains: ["collection"],
  });
  readonly #libraries = new Resource<LibraryList>(this, {
    path: () => (this.longbox.may("library.view") ? "/api/libraries" : undefined),
    domains: ["libraries"],
  });

  readonly #badges = new Badges(this, "series");
  readonly #held = new HeldHeight(this, "lb-slot[name=home]", () => this.longbox.isBusy);

  static override styles = [
    page,
    walls,
    css`
      .sections {
        gap: var(--lb-space-6);
      }
      lb-slot[name="home"] {
        display: grid;
        align-content: start;
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
          <p class="label">${all === undefined ? "\u00a0" : `${count(all, "series", "series")} in the box`}</p>
        </div>
      </div>
      <lb-scan-progress .longbox=${this.longbox}></lb-scan-progress>
      ${nothingYet || this.#libraries.error !== undefined ? this.#empty() : nothing}
      <div class="sections">
        <lb-slot name="home" .longbox=${this.longbox}></lb-slot>
        ${this.#held.isKnown ? this.#own() : nothing}
      </div>
    `;
  }

  #own() {
    return html`${this.#shelf("Recently added series", this.#added, "/library?sort=added")}
    ${this.#shelf("Followed", this.#followed, "/library?filter=followed&sort=latest")}`;
  }

  #shelf(heading: string, { value, error }: Resource<readonly SeriesRow[]>, href: string) {
    if (value === undefined) return error === undefined ? shelfSkeleton() : nothing;
    if (value.length === 0) return nothing;
    return shelf({ heading, href, cards: value.map((row) => seriesCard(row, this.#badges.of(row.id).badges)) });
  }

  #empty() {
    if (this.#libraries.error !== undefined)
      return trouble(this.#libraries.error, () => void this.#libraries.refresh());
    const isManager = this.longbox.may("library.manage");
    return notice({
      drawing: "box",
      heading: "The library is empty",
      text: isManager
        ? "Choose a folder that holds your library. Longbox reads what is there and changes nothing."
        : "Nothing has been added yet.",
      action: isManager ? { label: "Add a library", icon: "plus", href: "/welcome" } : undefined,
    });
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
