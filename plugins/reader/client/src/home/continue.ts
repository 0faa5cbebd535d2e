import type { ShelfItem } from "@longbox/reader/api";
import { card, cover, coverAddress, element, fromNow, icon, percent, progress, t } from "@longbox/sdk/ui";
import { css, html, nothing, type TemplateResult } from "lit";
import { HomeShelf, homeShelfStyle } from "./home-shelf.js";
import { shelves } from "./items.js";

/** What the user reads: the last item large, the others beside or below it. */
@element("reader-home-continue")
export class ContinueReading extends HomeShelf {
  static override styles = [
    homeShelfStyle,
    css`
      section {
        display: grid;
        gap: var(--lb-space-4);
      }
      .now {
        position: relative;
        isolation: isolate;
        display: grid;
        grid-template-columns: min(clamp(7rem, 30vw, 12rem), 40%) minmax(0, 1fr);
        gap: clamp(var(--lb-space-4), 3vw, var(--lb-space-6));
        align-items: center;
        padding: clamp(var(--lb-space-4), 2.5vw, var(--lb-space-5));
        border: 1px solid var(--lb-line);
        border-radius: var(--lb-radius-l);
        background: var(--lb-surface);
        overflow: hidden;
      }
      .tint {
        position: absolute;
        z-index: -1;
        inset: 0;
        width: 100%;
        height: 100%;
        object-fit: cover;
        filter: blur(48px) saturate(1.4);
        opacity: 0.22;
        transform: scale(1.4);
      }
      .about {
        display: grid;
        gap: var(--lb-space-2);
        min-width: 0;
        max-width: 40rem;
        overflow-wrap: anywhere;
      }
      .about h3 {
        font-size: clamp(1.5rem, 1.1rem + 1.8vw, 2.5rem);
      }
      .about h3 a {
        color: inherit;
        text-decoration: none;
      }
      .about .place {
        display: grid;
        gap: var(--lb-space-2);
        margin: var(--lb-space-2) 0;
      }
    `,
  ];
  protected readonly name = "continue";

  protected override shown([now, ...others]: readonly ShelfItem[]): TemplateResult {
    return html`<section class="shelf" aria-label=${shelves.continue.title}>
      <div class="shelf-head">
        <h2>${shelves.continue.title}</h2>
        ${others.length === 0 ? nothing : html`<a class="see-all" href=${shelves.continue.href} aria-label=${t("continue.seeAll", { title: shelves.continue.title })}>${t("continue.seeAll2")}</a>`}
      </div>
      ${now ? this.#now(now) : nothing}
      ${
        others.length === 0
          ? nothing
          : html`<ul class="shelf-row">
              ${others.map((item) => html`<li>${card(this.card(item), { sizes: "176px" })}</li>`)}
            </ul>`
      }
    </section>`;
  }

  #now(item: ShelfItem): TemplateResult {
    const { series, label, cover: path } = item;
    const reads = this.readingOf(item);
    return html`<div class="now">
      <img class="tint" alt="" src=${coverAddress(path, 160)} @error=${hide} />
      ${cover({ path, title: series, number: label.short, sizes: "192px", isEager: true })}
      <div class="about">
        <h3>
          <a href="/issue/${item.cvIssueId}">${label.within === null ? `${series} ${label.short}` : label.full}</a>
        </h3>
        ${label.within === null ? nothing : html`<p class="soft">${label.within}</p>`} ${this.#place(item)}
        ${
          reads?.href === undefined
            ? nothing
            : html`<p>
                <a class="button primary" href=${reads.href}
                  >${icon(reads.icon ?? "book")}${reads.label}<span class="hidden">
                    ${label.full} ${placeText(item)}</span
                  ></a
                >
              </p>`
        }
      </div>
    </div>`;
  }

  #place(item: ShelfItem): TemplateResult | typeof nothing {
    if (item.progress === null) return nothing;
    const { fraction, readAt } = item.progress;
    return html`<div class="place">
      ${progress({ label: t("continue.howFar", { full: item.label.full }), done: Math.round(fraction * 100), total: 100 })}
      <p class="label">${placeShown(item)} · ${fromNow(readAt)}</p>
    </div>`;
  }
}

function placeShown({ pages, progress: place }: ShelfItem): string {
  if (place === null) return "";
  return pages > 0
    ? t("continue.pageOf", { page: place.page + 1, pages })
    : t("continue.read", { fraction: percent(place.fraction, 1) });
}

/** Said after the name of the button. */
function placeText({ pages, progress: place }: ShelfItem): string {
  if (place === null) return "";
  return pages > 0
    ? t("continue.fromPageOf", { page: place.page + 1, pages })
    : t("continue.from", { fraction: percent(place.fraction, 1) });
}

function hide(event: Event): void {
  (event.target as HTMLElement).hidden = true;
}
