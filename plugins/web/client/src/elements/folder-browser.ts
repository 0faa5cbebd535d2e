import type { FolderListing } from "@longbox/collection/api";
import type { FolderContents } from "@longbox/files/api";
import { icon, locale, messageOf, number, picks, t } from "@longbox/sdk/ui";
import { css, html, LitElement, nothing, type PropertyValues } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { ApiFailure } from "../shell/api.js";
import type { Shell } from "../shell/shell.js";
import { base, buttons, forms } from "../styles/index.js";

/** How long the user pauses before what was typed is counted, in milliseconds. */
const pauseMs = 250;
const either = new Intl.ListFormat(locale, { type: "disjunction" });

/**
 * Chooses a folder of the server, by path or by browsing, and counts what it holds while the user types. Dispatches
 * `chosen` at every step, and `counted` with the files of each type of library.
 */
@customElement("lb-folder-browser")
export class FolderBrowser extends LitElement {
  @property({ attribute: false }) longbox!: Shell;
  @property() value = "";
  @property() problem = "";
  /** The types of library, to say what was found by their labels. */
  @property({ attribute: false }) types: ReadonlyArray<{ readonly id: string; readonly label: string }> = [];
  @state() private contents: FolderContents | "counting" | undefined;
  @state() private listing: FolderListing | undefined;
  @state() private failure: unknown;
  #asked = 0;
  #pause: number | undefined;
  #counted = "";
  /** The folder that the server begins at; undefined until it has said so. */
  #start: string | undefined;

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
      .found {
        min-height: 1.4em;
        font: 600 var(--lb-text-s) / 1.4 var(--lb-font-mono);
        overflow-wrap: anywhere;
      }
    `,
  ];

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#open(this.value === "" ? undefined : this.value);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearTimeout(this.#pause);
  }

  override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has("value") && this.value !== this.#counted) this.#countSoon();
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
      <label for="folder">${t("folderBrowser.folderOnTheServer")}</label>
      <input
        id="folder"
        name="folder"
        dir="ltr"
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
        ${problem ? html`<p class="problem">${problem}</p>` : html`<p class="hint">${t("folderBrowser.theFolderThatHolds")}</p>`}
      </div>
      <p class="found" role="status">${this.#found()}</p>
      ${this.#list()}
    </div>`;
  }

  #found(): string {
    const { contents } = this;
    if (contents === undefined) return "";
    if (contents === "counting") return t("folderBrowser.counting");
    if (contents.files === 0 && contents.complete) return t("folderBrowser.longboxFindsNothingTo");
    const counts = { files: contents.files, folders: contents.folders };
    const where = contents.complete
      ? t("folderBrowser.otherInOther", counts)
      : t("folderBrowser.atLeastOtherIn", counts);
    // Types that read the same files, such as comics and manga, stand together, or files would seem to be counted
    // twice.
    const fitting = this.types.filter(({ id }) => (contents.ofTypes[id] ?? 0) > 0);
    const types = [...Map.groupBy(fitting, ({ id }) => contents.ofTypes[id]!)].map(
      ([files, of]) => `${either.format(of.map(({ label }) => label))}: ${number(files)}`,
    );
    return types.length === 0 ? where : `${where} · ${types.join(" · ")}`;
  }

  #list() {
    const listing = this.listing;
    if (!listing) return nothing;
    const isBelowStart = listing.parent === undefined && listing.path !== "" && listing.path !== this.#start;
    return html`<div
      class="picks"
      role="group"
      aria-label=${listing.path === "" ? t("folderBrowser.whereToStart") : t("folderBrowser.foldersIn", { path: listing.path })}
    >
      ${isBelowStart ? html`<button type="button" @click=${() => this.#walk(undefined)}>${icon("folder-up")}${t("folderBrowser.allPlaces")}</button>` : nothing}
      ${listing.parent === undefined ? nothing : html`<button type="button" @click=${() => this.#walk(listing.parent)}>${icon("folder-up")}${t("folderBrowser.parentFolder")}</button>`}
      ${listing.folders.map((folder) => html`<button type="button" @click=${() => this.#walk(folder.path)}>${icon("folder")}<bdi>${folder.name}</bdi></button>`)}
      ${listing.folders.length === 0 ? html`<p class="hint">${t("folderBrowser.noFoldersInside")}</p>` : nothing}
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
      if (path === undefined) this.#start = listing.path;
      if (asked !== this.#asked) return;
      this.listing = listing;
      this.failure = undefined;
      this.#choose(listing.path);
    } catch (thrown) {
      if (asked === this.#asked) this.failure = thrown;
    }
  }

  #countSoon(): void {
    window.clearTimeout(this.#pause);
    const path = this.value.trim();
    this.#counted = this.value;
    this.contents = path.startsWith("/") || path.includes(":") ? "counting" : undefined;
    if (this.contents) this.#pause = window.setTimeout(() => void this.#count(path), pauseMs);
  }

  async #count(path: string): Promise<void> {
    // A half-typed path is no folder yet, and the form works without a count: a failure is not shown.
    const ask = this.longbox.api<FolderContents>(`/api/libraries/contents?path=${encodeURIComponent(path)}`);
    const contents = await ask.catch(() => undefined);
    if (path !== this.value.trim()) return;
    this.contents = contents;
    if (!contents) return;
    this.dispatchEvent(new CustomEvent("counted", { detail: contents.ofTypes }));
    await this.#listTyped(path);
  }

  /** Shows what is in the folder that was typed, and leaves the text as it is. */
  async #listTyped(path: string): Promise<void> {
    if (this.listing?.path === path) return;
    const asked = ++this.#asked;
    const ask = this.longbox.api<FolderListing>(`/api/libraries/folders?path=${encodeURIComponent(path)}`);
    // A folder that cannot be listed leaves the list as it is: the form shows its problem when it is sent.
    const listing = await ask.catch(() => undefined);
    if (asked === this.#asked && listing) [this.listing, this.failure] = [listing, undefined];
  }

  #choose(path: string): void {
    this.value = path;
    this.problem = "";
    this.dispatchEvent(new CustomEvent("chosen", { detail: path }));
  }
}
