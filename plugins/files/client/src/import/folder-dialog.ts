import {
  Action,
  Dialog,
  dialogs,
  element,
  LongboxElement,
  picks,
  problem,
  submitted,
  t,
  valueOf,
  waiting,
} from "@longbox/sdk/ui";
import { css, html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import type { FolderListing } from "@longbox/collection/api";
import { style } from "../style.js";

/** Chooses a folder of the server, by walking there or typing its path, and keeps it as the import folder. */
@element("files-folder-dialog")
export class FilesFolderDialog extends LongboxElement {
  @state() private listing: FolderListing | undefined;
  @state() private path = "";
  /** Counts what was looked at or typed, so that a late answer changes nothing. */
  #asked = 0;
  readonly #action = new Action(this);
  readonly #dialog = new Dialog(this);

  static override styles = [
    style,
    dialogs,
    picks,
    css`
      .field {
        flex: 1 1 10rem;
      }
    `,
  ];

  /** @param folder - Where to begin; the server's own choice when it is empty */
  open(folder: string): void {
    this.listing = undefined;
    this.path = folder;
    this.#action.forget();
    void this.#dialog.open();
    void this.#look(folder === "" ? undefined : folder);
  }

  override render(): TemplateResult {
    return this.#dialog.render(t("folderDialog.whereDoNewFiles"), () => this.#inside());
  }

  #inside(): TemplateResult {
    return html`<p class="soft">${t("folderDialog.aFolderOfThe")}</p>
      <form class="row" @submit=${(event: SubmitEvent) => this.#look(submitted(event)["path"]?.trim())}>
        <label class="field"
          >${t("folderDialog.folderOnTheServer")}<input
            name="path"
            autocomplete="off"
            autocapitalize="off"
            spellcheck="false"
            required
            maxlength="4096"
            .value=${this.path}
            @input=${this.#typing}
        /></label>
        <button>${t("folderDialog.look")}</button>
      </form>
      ${problem(this.#action.problem)} ${this.#folders()}
      <div class="row end">
        <button class="primary" ?disabled=${this.#action.busy || !this.listing} @click=${() => this.#choose()}>
          ${t("folderDialog.useThisFolder")}
        </button>
      </div>`;
  }

  #folders(): TemplateResult | typeof nothing {
    const { listing } = this;
    if (!listing) return this.#action.busy ? waiting() : nothing;
    return html`<div class="picks" role="group" aria-label=${t("folderDialog.foldersIn", { path: listing.path })}>
      ${listing.parent === undefined ? nothing : html`<button @click=${() => this.#look(listing.parent)}>${t("folderDialog.oneUp")}</button>`}
      ${listing.folders.map((folder) => html`<button @click=${() => this.#look(folder.path)}>${folder.name}</button>`)}
      ${listing.folders.length === 0 ? html`<p class="soft">${t("folderDialog.noFoldersInside")}</p>` : nothing}
    </div>`;
  }

  readonly #typing = (event: Event): void => {
    this.#asked += 1;
    this.path = valueOf(event);
  };

  #look(path: string | undefined): Promise<boolean> {
    const asked = ++this.#asked;
    return this.#action.run(async () => {
      const listing = await this.longbox.api<FolderListing>(
        `/api/libraries/folders${path === undefined ? "" : `?path=${encodeURIComponent(path)}`}`,
      );
      if (asked !== this.#asked) return;
      this.listing = listing;
      this.path = listing.path;
    });
  }

  #choose(): Promise<boolean> {
    const folder = this.listing?.path;
    return this.#action.run(async () => {
      await this.post("/api/settings", { files: { importFolder: folder } });
      this.#dialog.close();
      this.dispatchEvent(new CustomEvent("chosen", { detail: folder }));
    });
  }
}
