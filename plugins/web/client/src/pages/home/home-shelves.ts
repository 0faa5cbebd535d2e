import { seriesCard } from "@longbox/collection/client";
import type { SeriesRow } from "@longbox/collection/api";
import { Badges, LongboxElement, Resource, shelf, shelfSkeleton, t, walls } from "@longbox/sdk/ui";
import { css, nothing } from "lit";
import { customElement } from "lit/decorators.js";
import { page } from "../../styles/index.js";

/** A shelf of series on the home page; an empty one takes no place. */
abstract class SeriesShelf extends LongboxElement {
  static override styles = [
    page,
    walls,
    css`
      :host {
        display: block;
        padding: 0;
      }
      :host([empty]) {
        display: none;
      }
    `,
  ];
  protected abstract readonly heading: string;
  /** Of the list, and of the library page that shows all of it. */
  protected abstract readonly query: string;
  readonly #rows = new Resource<readonly SeriesRow[]>(this, {
    path: () => (this.longbox.may("library.view") ? `/api/collection?${this.query}&limit=24` : undefined),
    domains: ["collection"],
    arrived: (rows) => this.#mark(rows.length === 0),
  });
  readonly #badges = new Badges(this, "series");

  /** What was empty last time takes no place until it is filled. */
  override connectedCallback(): void {
    super.connectedCallback();
    this.toggleAttribute("empty", localStorage.getItem(this.#key) === "empty");
  }

  override render() {
    const { value, error } = this.#rows;
    if (value === undefined) return error === undefined ? shelfSkeleton() : nothing;
    if (value.length === 0) return nothing;
    return shelf({
      heading: this.heading,
      href: `/library?${this.query}`,
      cards: value.map((row) => seriesCard(row, this.#badges.of(row.id).badges)),
    });
  }

  #mark(isEmpty: boolean): void {
    this.toggleAttribute("empty", isEmpty);
    localStorage.setItem(this.#key, isEmpty ? "empty" : "filled");
  }

  get #key(): string {
    return `longbox.home-shelf ${this.query}`;
  }
}

/** The series that were added last. */
@customElement("lb-home-added")
export class AddedShelf extends SeriesShelf {
  protected readonly heading = t("homeShelves.recentlyAddedSeries");
  protected readonly query = "sort=added";
}

/** The series that the user follows, the latest release first. */
@customElement("lb-home-followed")
export class FollowedShelf extends SeriesShelf {
  protected readonly heading = t("homeShelves.followed");
  protected readonly query = "filter=followed&sort=latest";
}
