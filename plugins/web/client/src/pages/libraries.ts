import "@awesome.me/webawesome/dist/components/dialog/dialog.js";
import { Resource } from "@longbox/sdk/ui";
import { css, html, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";
import { confirm } from "../elements/confirm.js";
import "../elements/icon.js";
import "../elements/library-box.js";
import "../elements/library-form.js";
import "../elements/scan-progress.js";
import { untilThere } from "../elements/states.js";
import type { LibraryList, LibraryRow } from "../shell/shapes.js";
import { dialogs, page } from "../styles/index.js";
import { Page } from "./page.js";

/** Which folders of the server are read, and reading them again. */
@customElement("lb-libraries-page")
export class LibrariesPage extends Page {
  @state() private editing: LibraryRow | "new" | undefined;

  readonly #libraries = new Resource<LibraryList>(this, { path: () => "/api/libraries", domains: ["libraries"] });

  static override styles = [
    page,
    dialogs,
    css`
      .libraries {
        display: grid;
        grid-template-columns: repeat(auto-fill, minmax(min(100%, 20rem), 1fr));
        gap: var(--lb-space-6) var(--lb-space-5);
      }
      .libraries li {
        display: grid;
        gap: var(--lb-space-3);
        align-content: start;
      }
      .path {
        font: var(--lb-text-s) / 1.4 var(--lb-font-mono);
        overflow-wrap: anywhere;
      }
    `,
  ];

  override render() {
    return html`
      <div class="page-head">
        <h1>Libraries</h1>
        <button class="primary" @click=${() => (this.editing = "new")}><lb-icon name="plus"></lb-icon>Add a library</button>
      </div>
      <lb-scan-progress always .longbox=${this.longbox}></lb-scan-progress>
      ${this.#libraries.render((list) => this.#list(list), untilThere)} ${this.#dialog()}
    `;
  }

  #list(list: LibraryList) {
    if (list.libraries.length === 0) return html`<lb-empty heading="No library yet"><p>A library is a folder on the server that holds comics of one kind.</p></lb-empty>`;
    return html`<ul class="libraries">${list.libraries.map((library) => this.#card(library, list))}</ul>`;
  }

  #card(library: LibraryRow, list: LibraryList) {
    const kind = list.types.find(({ id }) => id === library.type)?.label ?? library.type;
    return html`<li>
      <lb-library-box .longbox=${this.longbox} .library=${library} kind=${kind}></lb-library-box>
      <p class="path soft">${library.rootFolder}</p>
      <div class="row">
        <button @click=${() => this.#scan(library)}><lb-icon name="scan"></lb-icon>Scan</button>
        <button @click=${() => (this.editing = library)}><lb-icon name="edit"></lb-icon>Change</button>
        <button class="quiet round" aria-label="Remove ${library.name}" title="Remove" @click=${() => this.#remove(library)}><lb-icon name="trash"></lb-icon></button>
      </div>
    </li>`;
  }

  #dialog() {
    const library = this.editing === "new" ? undefined : this.editing;
    return html`<wa-dialog label=${library ? `Change ${library.name}` : "Add a library"} ?open=${this.editing !== undefined} @wa-after-hide=${this.#closed}>
      ${this.editing === undefined
        ? nothing
        : html`<lb-library-form .longbox=${this.longbox} .library=${library} label=${library ? "Save" : "Add the library"} @saved=${this.#saved}></lb-library-form>`}
    </wa-dialog>`;
  }

  #closed(event: Event): void {
    if (event.target === event.currentTarget) this.editing = undefined;
  }

  #saved(): void {
    this.longbox.notify(this.editing === "new" ? "The library is being read." : "Saved.", { level: "success" });
    this.editing = undefined;
    void this.#libraries.refresh();
  }

  async #scan(library: LibraryRow): Promise<void> {
    await this.attempt(() => this.longbox.api(`/api/libraries/${library.id}/scan`, { method: "POST" }));
  }

  async #remove(library: LibraryRow): Promise<void> {
    const sure = await confirm({ heading: `Remove ${library.name}?`, text: "Its series stay in the collection, and no file is touched.", action: "Remove", danger: true });
    if (!sure) return;
    await this.attempt(() => this.longbox.api(`/api/libraries/${library.id}`, { method: "DELETE" }), `${library.name} was removed.`);
    void this.#libraries.refresh();
  }
}
