import type { FolderListing } from "@longbox/collection/api";
import { icon, messageOf, picks } from "@longbox/sdk/ui";
import { css, html, LitElement, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { ApiFailure } from "../shell/api.js";
import type { Shell } from "../shell/shell.js";
import { base, buttons, forms } from "../styles/index.js";

/** Chooses a folder of the server, by path or by browsing. Dispatches `chosen` at every step. */
@customElement("lb-folder-browser")
export class FolderBrowser extends LitElement {
  @property({ attribute: false }) longbox!: Shell;
  @property() value = "";
  @property() problem = "";
  @state() private listing: FolderListing | undefined;
  @state() private failure: unknown;
  #asked = 0;

  static override styles = [
    base,
    buttons,
    forms,
    picks,
    css`
      .picks {
        max-height: 15rem;
        margin-top: var(--lb-space-2);
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#open(this.value === "" ? undefined : this.value);
  }

  override render() {
    const problem =
      this.problem !== ""
        ? this.problem
        : this.failure instanceof ApiFailure
          ? (this.failure.field("path") ?? messageOf(this.failure))
          : this.failure === undefined
            ? ""
            : messageOf(this.failure);
    return html`<div class="field">
      <label for="folder">Folder on the server</label>
      <input
        id="folder"
        name="folder"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        .value=${this.value}
        aria-invalid=${problem ? "true" : "false"}
        aria-describedby="folder-about"
        @input=${this.#typing}
        @change=${this.#typed}
        @keydown=${this.#key}
      />
      <div id="folder-about">
        ${problem ? html`<p class="problem">${problem}</p>` : html`<p class="hint">The folder that holds your files. Nothing in it is changed.</p>`}
      </div>
      ${this.#list()}
    </div>`;
  }

  #list() {
    const listing = this.listing;
    if (!listing) return nothing;
    return html`<div class="picks" role="group" aria-label="Folders in ${listing.path}">
      ${listing.parent === undefined ? nothing : html`<button type="button" @click=${() => this.#walk(listing.parent)}>${icon("folder-up")}One up</button>`}
      ${listing.folders.map((folder) => html`<button type="button" @click=${() => this.#walk(folder.path)}>${icon("folder")}${folder.name}</button>`)}
      ${listing.folders.length === 0 ? html`<p class="hint">No folders inside.</p>` : nothing}
    </div>`;
  }

  #walk(path: string | undefined): void {
    void this.#open(path);
  }

  /** A late answer must not overwrite what the user is typing. */
  #typing(event: Event): void {
    this.#asked += 1;
    this.value = (event.target as HTMLInputElement).value;
  }

  #typed(event: Event): void {
    void this.#open((event.target as HTMLInputElement).value.trim());
  }

  /** Enter opens the typed folder instead of submitting the surrounding form. */
  #key(event: KeyboardEvent): void {
    if (event.key !== "Enter") return;
    event.preventDefault();
    this.#typed(event);
  }

  async #open(path: string | undefined): Promise<void> {
    const asked = ++this.#asked;
    if (path !== undefined) this.#choose(path);
    try {
      const query = path === undefined ? "" : `?path=${encodeURIComponent(path)}`;
      const listing = await this.longbox.api<FolderListing>(`/api/libraries/folders${query}`);
      if (asked !== this.#asked) return;
      this.listing = listing;
      this.failure = undefined;
      this.#choose(listing.path);
    } catch (thrown) {
      if (asked === this.#asked) this.failure = thrown;
    }
  }

  #choose(path: string): void {
    this.value = path;
    this.problem = "";
    this.dispatchEvent(new CustomEvent("chosen", { detail: path }));
  }
}
