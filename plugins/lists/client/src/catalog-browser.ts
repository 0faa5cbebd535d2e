import type { LongboxClient } from "@longbox/sdk/client";
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { style } from "./style.js";
import { counted, messageOf } from "./wording.js";

const shownPaths = 60;

/** Reading lists of the community, to search in. Fires `choose` with a path. */
@customElement("lists-catalog-browser")
export class ListsCatalogBrowser extends LitElement {
  @property({ attribute: false }) longbox!: LongboxClient;
  @property({ type: Boolean }) busy = false;
  @state() private paths: readonly string[] | undefined;
  @state() private problem: string | undefined;
  @state() private words = "";

  static override styles = [
    style,
    css`
      :host {
        display: grid;
        gap: var(--lb-space-3);
      }
      ul {
        display: grid;
        max-height: 24rem;
        overflow-y: auto;
        border-block: 1px solid var(--lb-line);
      }
      li {
        display: flex;
        gap: var(--lb-space-3);
        align-items: center;
        justify-content: space-between;
        padding: var(--lb-space-2) var(--lb-space-1);
      }
      li + li {
        border-top: 1px solid var(--lb-line);
      }
      .what {
        display: grid;
        min-width: 0;
        overflow-wrap: anywhere;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#load();
  }

  override render(): TemplateResult {
    if (this.problem !== undefined) return html`<div role="alert"><p class="problem">${this.problem}</p><button @click=${() => this.#load()}>Try again</button></div>`;
    if (this.paths === undefined) return html`<p class="soft" role="status">Asking the community …</p>`;
    const found = this.#found(this.paths);
    return html`<label>Search<input type="search" autocomplete="off" placeholder="Publisher, event, character" .value=${this.words} @input=${(event: InputEvent) => (this.words = (event.target as HTMLInputElement).value)} /></label>
      <p class="soft" role="status">${counted(found.length, "list", "lists")}${found.length > shownPaths ? `, the first ${shownPaths} are shown` : ""}.</p>
      ${found.length === 0 ? nothing : html`<ul>${found.slice(0, shownPaths).map((path) => this.#row(path))}</ul>`}`;
  }

  #row(path: string): TemplateResult {
    const parts = path.replace(/\.cbl$/i, "").split("/");
    const name = parts.at(-1) ?? path;
    return html`<li>
      <span class="what"><strong>${name}</strong><span class="facts">${parts.slice(0, -1).join(" / ")}</span></span>
      <button ?disabled=${this.busy} aria-label="Look at ${name}" @click=${() => this.dispatchEvent(new CustomEvent("choose", { detail: path }))}>Look</button>
    </li>`;
  }

  /** Paths with every word, whatever its accents. */
  #found(paths: readonly string[]): readonly string[] {
    const words = fold(this.words).split(/\s+/).filter((word) => word !== "");
    return words.length === 0 ? paths : paths.filter((path) => words.every((word) => fold(path).includes(word)));
  }

  async #load(): Promise<void> {
    this.problem = undefined;
    try {
      this.paths = await this.longbox.api<string[]>("/api/lists/cbl-catalog");
    } catch (fault) {
      this.problem = messageOf(fault);
    }
  }
}

const fold = (text: string): string => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
