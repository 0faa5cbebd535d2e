import type { SampleComicsState } from "@longbox/comics/api";
import type { LibraryList, LibraryRow, SeriesRow } from "@longbox/collection/api";
import { Action, confirm, element, LongboxElement, problem, Resource, standard, t } from "@longbox/sdk/ui";
import { css, html, nothing, type TemplateResult } from "lit";

const libraryName = t("samples.comicsToTry");

/**
 * Adds the comics that the server draws itself as a library, and deletes them again. Dispatches `done`, which bubbles,
 * once the library is there.
 */
@element("comics-samples")
export class ComicsSamples extends LongboxElement {
  readonly #samples = new Resource<SampleComicsState>(this, { path: "/api/samples", domains: ["libraries"] });
  readonly #action = new Action(this, { notify: true });

  static override styles = [
    standard,
    css`
      section {
        display: grid;
        gap: var(--lb-space-2);
        padding-top: var(--lb-space-4);
        border-top: 1px solid var(--lb-line);
      }
      .title {
        font-weight: 600;
      }
    `,
  ];

  override render(): unknown {
    return this.#samples.render((samples) => this.#shown(samples), { waiting: nothing });
  }

  #shown({ folder, comics }: SampleComicsState): TemplateResult {
    const { busy } = this.#action;
    return html`<section>
      <p class="title">${t("samples.noComicsAtHand")}</p>
      ${
        folder === undefined
          ? html`<p class="soft">${t("samples.longboxCanDrawA")}</p>
              <div>
                <button type="button" ?disabled=${busy} @click=${this.#add}>
                  ${busy ? t("samples.drawing") : t("samples.tryItWithFree")}
                </button>
              </div>`
          : html`<p class="soft">${t("samples.otherIn", { comics, folder })}</p>
              <div>
                <button type="button" class="danger" ?disabled=${busy} @click=${this.#remove}>
                  ${t("samples.deleteTheFreeComics2")}
                </button>
              </div>`
      }
      ${problem(this.#action.problem)}
    </section>`;
  }

  readonly #add = async (): Promise<void> => {
    const isAdded = await this.#action.run(async () => {
      const { folder } = await this.post<SampleComicsState>("/api/samples");
      await this.post("/api/libraries", { name: libraryName, type: "comic", rootFolder: folder });
    }, t("samples.theFreeComicsAre"));
    await this.#samples.refresh();
    if (isAdded) this.dispatchEvent(new Event("done", { bubbles: true, composed: true }));
  };

  readonly #remove = async (): Promise<void> => {
    const isSure = await confirm({
      heading: t("samples.deleteTheFreeComics"),
      text: t("samples.theirFilesAreDeleted"),
      action: t("samples.delete"),
      isDangerous: true,
    });
    if (!isSure) return;
    const library = await this.#library();
    await this.#action.run(async () => {
      await this.longbox.api("/api/samples", { method: "DELETE" });
      if (library && (await this.#isEmpty(library)))
        await this.longbox.api(`/api/libraries/${library.id}`, { method: "DELETE" });
    }, t("samples.theFreeComicsWere"));
    await this.#samples.refresh();
  };

  /** Comics that the user put into the folder stay, and so does the library that shows them. */
  async #isEmpty({ id }: LibraryRow): Promise<boolean> {
    const left = await this.longbox.api<readonly SeriesRow[]>(`/api/collection?library=${id}&limit=1`);
    return left.length === 0;
  }

  /** The library of the folder, whatever its name is. */
  async #library(): Promise<LibraryRow | undefined> {
    const { libraries } = await this.longbox.api<LibraryList>("/api/libraries");
    return libraries.find(({ rootFolder }) => rootFolder === this.#samples.value?.folder);
  }
}
