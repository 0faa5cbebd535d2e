import { cover, covers, Resource, t } from "@longbox/sdk/ui";
import { css, html, LitElement, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { LibraryRow, SeriesRow } from "@longbox/collection/api";
import type { Shell } from "../shell/shell.js";
import { base } from "../styles/index.js";

/** A library drawn as a box: a few covers stand out of it, and its name is on the front. */
@customElement("lb-library-box")
export class LibraryBox extends LitElement {
  @property({ attribute: false }) longbox!: Shell;
  @property({ attribute: false }) library!: LibraryRow;
  /** The title of the library's type. */
  @property() kind = "";

  readonly #series = new Resource<readonly SeriesRow[]>(this, {
    path: () => `/api/collection?library=${this.library.id}&sort=added&limit=6`,
    domains: ["collection"],
  });
  readonly #counts = new Resource<Record<string, number>>(this, {
    path: () => `/api/collection/counts?library=${this.library.id}`,
    domains: ["collection"],
  });

  static override styles = [
    base,
    covers,
    css`
      :host {
        display: block;
      }
      a {
        display: block;
        color: var(--lb-ink);
        text-decoration: none;
      }
      .inside {
        display: grid;
        grid-template-columns: repeat(6, minmax(0, 1fr));
        height: 6.5rem;
        padding-block: var(--lb-space-3) 0;
        padding-inline: 5% 12%;
        overflow: hidden;
      }
      .inside .cover {
        width: 155%;
        transition: transform var(--lb-fast);
      }
      .inside .cover:nth-child(odd) {
        margin-top: 6px;
      }
      a:hover .cover:nth-child(2) {
        transform: translateY(-8px);
      }
      .front {
        position: relative;
        display: grid;
        gap: var(--lb-space-1);
        padding: var(--lb-space-3) var(--lb-space-4) var(--lb-space-4);
        border: 2px solid var(--lb-ink);
        border-radius: 2px 2px var(--lb-radius-m) var(--lb-radius-m);
        background: var(--lb-surface);
        box-shadow: 0 -6px 14px -6px rgb(0 0 0 / 0.28);
      }
      .hole {
        justify-self: center;
        width: 4rem;
        height: 1rem;
        margin-bottom: var(--lb-space-2);
        border-radius: 999px;
        background: var(--lb-ink);
      }
      strong {
        font: 700 var(--lb-text-xl) / 1.05 var(--lb-font-display);
        overflow-wrap: anywhere;
      }
      a:hover strong {
        text-decoration: underline;
        text-decoration-thickness: 2px;
        text-underline-offset: 0.15em;
      }
    `,
  ];

  override render() {
    const { library } = this;
    const all = this.#counts.value?.["all"];
    const label = [
      this.kind,
      all === undefined ? undefined : t("libraryBox.other", { all }),
      library.restricted ? t("libraryBox.restricted") : undefined,
    ]
      .filter(Boolean)
      .join(" · ");
    return html`<a href="/library?library=${library.id}">
      <div class="inside" aria-hidden="true">
        ${(this.#series.value ?? []).map((series) => cover({ path: series.cover, title: series.title, sizes: "96px", isEager: true }))}
      </div>
      <div class="front">
        <span class="hole"></span>
        <strong>${library.name}</strong>
        ${label === "" ? nothing : html`<span class="label">${label}</span>`}
      </div>
    </a>`;
  }
}
