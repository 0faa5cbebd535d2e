import { css, html, nothing, type TemplateResult } from "lit";
import { customElement, query, state } from "lit/decorators.js";
import { dialogStyle } from "../dialog-style.js";
import { Doing } from "../doing.js";
import type { FolderListing } from "../shapes.js";
import { style } from "../style.js";

/** Chooses a folder of the server, by walking there or typing its path, and keeps it as the import folder. */
@customElement("files-folder-dialog")
export class FilesFolderDialog extends Doing {
  @state() private listing: FolderListing | undefined;
  @query("dialog") private dialog!: HTMLDialogElement;

  static override styles = [
    style,
    dialogStyle,
    css`
      .folders {
        display: grid;
        gap: 0;
        max-height: 18rem;
        overflow-y: auto;
        border: 1.5px solid var(--lb-line);
        border-radius: var(--lb-radius-m);
        background: var(--lb-raised);
      }
      .folders button {
        width: 100%;
        border: 0;
        border-radius: 0;
        background: none;
        font-weight: 400;
        text-align: start;
        overflow-wrap: anywhere;
      }
      .folders button:hover {
        background: var(--lb-accent-soft);
      }
      .folders button:focus-visible {
        outline-offset: -3px;
      }
      .folders p {
        padding: var(--lb-space-3) var(--lb-space-4);
      }
      label {
        flex: 1 1 10rem;
        display: grid;
      }
    `,
  ];

  /** @param folder - Where to begin; the server's own choice when it is empty */
  open(folder: string): void {
    this.listing = undefined;
    this.dialog.showModal();
    void this.#look(folder === "" ? undefined : folder);
  }

  override render(): TemplateResult {
    return html`<dialog aria-labelledby="heading">
      <div class="inside">
        <div class="head">
          <h2 id="heading">Where do new comics wait?</h2>
          <button @click=${() => this.dialog.close()}>Close</button>
        </div>
        <p class="soft">A folder of the server outside the libraries. Files leave it when they are imported.</p>
        <form class="line" @submit=${this.#typed}>
          <label>Folder on the server<input name="path" autocomplete="off" autocapitalize="off" spellcheck="false" required maxlength="4096" .value=${this.listing?.path ?? ""} /></label>
          <button>Look</button>
        </form>
        ${this.problem === undefined ? nothing : html`<p class="problem" role="alert">${this.problem}</p>`} ${this.#folders()}
        <div class="line end"><button class="strong" ?disabled=${this.busy || !this.listing} @click=${() => this.#choose()}>Use this folder</button></div>
      </div>
    </dialog>`;
  }

  #folders(): TemplateResult | typeof nothing {
    const { listing } = this;
    if (!listing) return this.busy ? html`<p class="soft" role="status">One moment …</p>` : nothing;
    return html`<div class="folders" role="group" aria-label="Folders in ${listing.path}">
      ${listing.parent === undefined ? nothing : html`<button @click=${() => this.#look(listing.parent)}>↑ One up</button>`} ${listing.folders.map((folder) => html`<button @click=${() => this.#look(folder.path)}>${folder.name}</button>`)}
      ${listing.folders.length === 0 ? html`<p class="soft">No folders inside.</p>` : nothing}
    </div>`;
  }

  #typed(event: SubmitEvent): void {
    event.preventDefault();
    void this.#look(String(new FormData(event.target as HTMLFormElement).get("path")).trim());
  }

  #look(path: string | undefined): Promise<void> {
    return this.attempt(async () => {
      this.listing = await this.longbox.api<FolderListing>(`/api/libraries/folders${path === undefined ? "" : `?path=${encodeURIComponent(path)}`}`);
    });
  }

  #choose(): Promise<void> {
    const folder = this.listing?.path;
    return this.attempt(async () => {
      await this.post("/api/settings", { files: { importFolder: folder } });
      this.dialog.close();
      this.dispatchEvent(new CustomEvent("chosen", { detail: folder }));
    });
  }
}
