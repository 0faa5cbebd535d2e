import { confirm, Dialog, icon, notice, pageStates, Resource, t } from "@longbox/sdk/ui";
import { css, html } from "lit";
import { customElement, state } from "lit/decorators.js";
import "../elements/library-box.js";
import "../elements/library-form.js";
import "../elements/scan-progress.js";
import type { LibraryList, LibraryRow } from "@longbox/collection/api";
import { dialogs, page } from "../styles/index.js";
import { Page } from "./page.js";

/** The libraries: their folders, and scanning them. */
@customElement("lb-libraries-page")
export class LibrariesPage extends Page {
  @state() private editing: LibraryRow | "new" = "new";
  readonly #form = new Dialog(this);

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
        <h1>${t("libraries.libraries")}</h1>
        <button class="primary" @click=${() => this.#edit("new")}>${icon("plus")}${t("libraries.addALibrary")}</button>
      </div>
      <lb-scan-progress always .longbox=${this.longbox}></lb-scan-progress>
      ${this.#libraries.render((list) => this.#list(list), pageStates)} ${this.#dialog()}
    `;
  }

  #list(list: LibraryList) {
    if (list.libraries.length === 0)
      return notice({
        drawing: "box",
        heading: t("libraries.noLibraryYet"),
        text: t("libraries.aLibraryIsA"),
        action: { label: t("libraries.addALibrary"), icon: "plus", run: () => this.#edit("new") },
      });
    return html`<ul class="libraries">
      ${list.libraries.map((library) => this.#card(library, list))}
    </ul>`;
  }

  #card(library: LibraryRow, list: LibraryList) {
    const kind = list.types.find(({ id }) => id === library.type)?.label ?? library.type;
    return html`<li>
      <lb-library-box .longbox=${this.longbox} .library=${library} kind=${kind}></lb-library-box>
      <p class="path soft"><bdi>${library.rootFolder}</bdi></p>
      <div class="row">
        <button @click=${() => this.#scan(library)}>${icon("scan")}${t("libraries.scan")}</button>
        <button @click=${() => this.#edit(library)}>${icon("edit")}${t("libraries.change2")}</button>
        <button
          class="quiet round"
          aria-label=${t("libraries.remove", { name: library.name })}
          title=${t("libraries.remove2")}
          @click=${() => this.#remove(library)}
        >
          ${icon("trash")}
        </button>
      </div>
    </li>`;
  }

  #dialog() {
    const library = this.editing === "new" ? undefined : this.editing;
    return this.#form.render(
      library ? t("libraries.change", { name: library.name }) : t("libraries.addALibrary"),
      () =>
        html`<lb-library-form
          .longbox=${this.longbox}
          .library=${library}
          label=${library ? t("libraries.save") : t("libraries.addTheLibrary")}
          @saved=${this.#saved}
        ></lb-library-form>`,
    );
  }

  #edit(library: LibraryRow | "new"): void {
    this.editing = library;
    void this.#form.open();
  }

  #saved(): void {
    this.longbox.notify(this.editing === "new" ? t("libraries.longboxIsReadingThe") : t("libraries.saved"), {
      level: "success",
    });
    this.#form.close();
    void this.#libraries.refresh();
  }

  async #scan(library: LibraryRow): Promise<void> {
    await this.attempt(() => this.longbox.api(`/api/libraries/${library.id}/scan`, { method: "POST" }));
  }

  async #remove(library: LibraryRow): Promise<void> {
    const sure = await confirm({
      heading: t("libraries.remove3", { name: library.name }),
      text: t("libraries.itsSeriesStayIn"),
      action: t("libraries.remove2"),
      isDangerous: true,
    });
    if (!sure) return;
    await this.attempt(
      () => this.longbox.api(`/api/libraries/${library.id}`, { method: "DELETE" }),
      t("libraries.wasRemoved", { name: library.name }),
    );
    void this.#libraries.refresh();
  }
}
