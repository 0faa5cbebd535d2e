import { element, foldText, LongboxElement, Resource, t, valueOf, waiting } from "@longbox/sdk/ui";
import { css, html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import { rowStyle, style } from "./style.js";

const shownPaths = 60;

/** Reading lists of the community, to search in. Fires `choose` with a path. */
@element("lists-catalog-browser")
export class ListsCatalogBrowser extends LongboxElement {
  @property({ type: Boolean }) busy = false;
  @state() private words = "";
  readonly #paths = new Resource<readonly string[]>(this, { path: "/api/lists/cbl-catalog" });

  static override styles = [
    style,
    rowStyle,
    css`
      :host {
        display: grid;
        gap: var(--lb-space-3);
      }
    `,
  ];

  override render(): unknown {
    return this.#paths.render((paths) => this.#browser(paths), {
      waiting: waiting(t("catalogBrowser.askingTheCommunity")),
    });
  }

  #browser(paths: readonly string[]): TemplateResult {
    const found = this.#found(paths);
    return html`<label class="field"
        >${t("catalogBrowser.search")}<input
          type="search"
          autocomplete="off"
          placeholder=${t("catalogBrowser.publisherEventCharacter")}
          .value=${this.words}
          @input=${(event: InputEvent) => (this.words = valueOf(event))}
      /></label>
      <p class="soft" role="status">
        ${found.length > shownPaths ? t("catalogBrowser.theFirstAreShown", { found: found.length, shownPaths }) : t("catalogBrowser.lists", { found: found.length })}
      </p>
      ${
        found.length === 0
          ? nothing
          : html`<ul class="rows">
              ${found.slice(0, shownPaths).map((path) => this.#row(path))}
            </ul>`
      }`;
  }

  #row(path: string): TemplateResult {
    const parts = path.replace(/\.cbl$/i, "").split("/");
    const name = parts.at(-1) ?? path;
    return html`<li>
      <span class="what"><strong>${name}</strong><span class="facts">${parts.slice(0, -1).join(" / ")}</span></span>
      <button
        ?disabled=${this.busy}
        aria-label=${t("catalogBrowser.lookAt", { name })}
        @click=${() => this.dispatchEvent(new CustomEvent("choose", { detail: path }))}
      >
        ${t("catalogBrowser.look")}
      </button>
    </li>`;
  }

  /** Paths with every word, whatever its accents. */
  #found(paths: readonly string[]): readonly string[] {
    const words = foldText(this.words)
      .split(/\s+/)
      .filter((word) => word !== "");
    return words.length === 0 ? paths : paths.filter((path) => words.every((word) => foldText(path).includes(word)));
  }
}
