import { Action, Dialog, element, LongboxElement, rich, t } from "@longbox/sdk/ui";
import { css, html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import "./arc-browser.js";
import "./catalog-browser.js";
import "./preview.js";
import type { ImportOutcome, ListRow, Preview } from "@longbox/lists/api";
import type { ArcRow } from "@longbox/metadata/api";
import { dialogStyle } from "./style.js";
import { imported } from "./wording.js";

type Source = "file" | "catalog" | "arc";
const sources: ReadonlyArray<readonly [Source, string]> = [
  ["file", t("importDialog.aFile")],
  ["catalog", t("importDialog.theCommunity")],
  ["arc", t("importDialog.aStoryArc")],
];

/** The source of the previewed list. */
type Origin = { readonly file: File } | { readonly path: string };

/** Imports lists from a file, the community catalog or a story arc. Files are previewed before they are saved. */
@element("lists-import-dialog")
export class ListsImportDialog extends LongboxElement {
  @state() private source: Source = "file";
  @state() private origin: Origin | undefined;
  @state() private preview: Preview | undefined;
  readonly #dialog = new Dialog(this);
  readonly #action = new Action(this);

  static override styles = [
    dialogStyle,
    css`
      .drop {
        display: grid;
        gap: var(--lb-space-3);
        justify-items: center;
        padding: var(--lb-space-6) var(--lb-space-4);
        border: 2px dashed var(--lb-line);
        border-radius: var(--lb-radius-m);
        text-align: center;
      }
    `,
  ];

  /** Opens the dialog; with a file, at its preview. */
  async show(file?: File): Promise<void> {
    this.preview = undefined;
    this.source = "file";
    this.#action.forget();
    await this.#dialog.open();
    if (file) await this.#look({ file });
  }

  override render(): TemplateResult {
    return html`<div @dragover=${(event: DragEvent) => event.preventDefault()} @drop=${this.#drop}>
      ${this.#dialog.render(this.preview ? t("importDialog.saveThisList") : t("importDialog.importAList"), () => this.#inside())}
    </div>`;
  }

  #inside(): TemplateResult {
    const { busy, problem } = this.#action;
    return html`<div role="status" aria-live="polite">
        ${problem === undefined ? (busy ? html`<p class="soft">${t("importDialog.oneMoment")}</p>` : nothing) : html`<p class="problem">${problem}</p>`}
      </div>
      ${this.preview ? this.#kept(this.preview) : this.#sources()}`;
  }

  #sources(): TemplateResult {
    return html`<div class="row" role="group" aria-label=${t("importDialog.fromWhere")}>
        ${sources.map(([source, label]) => html`<button aria-pressed=${this.source === source} @click=${() => this.#choose(source)}>${label}</button>`)}
      </div>
      ${this.#source()}`;
  }

  #source(): TemplateResult {
    const { busy } = this.#action;
    if (this.source === "catalog")
      return html`<lists-catalog-browser
        .longbox=${this.longbox}
        ?busy=${busy}
        @choose=${(event: CustomEvent<string>) => this.#look({ path: event.detail })}
      ></lists-catalog-browser>`;
    if (this.source === "arc")
      return html`<lists-arc-browser
        .longbox=${this.longbox}
        ?busy=${busy}
        @choose=${(event: CustomEvent<ArcRow>) => this.#takeArc(event.detail)}
      ></lists-arc-browser>`;
    return html`<div class="drop">
      <p>${rich("importDialog.dropAReadingList", { strong: (inside: unknown) => html`<b>${inside}</b>` })}</p>
      <input
        class="hidden"
        id="file"
        type="file"
        accept=".cbl,.xml,application/xml,text/xml"
        aria-label=${t("importDialog.readingListFile")}
        tabindex="-1"
        @change=${this.#pick}
      />
      <button
        class="primary"
        ?disabled=${busy}
        @click=${() => this.renderRoot.querySelector<HTMLInputElement>("#file")?.click()}
      >
        ${t("importDialog.chooseAFile")}
      </button>
    </div>`;
  }

  #kept(preview: Preview): TemplateResult {
    return html`<lists-preview
      .preview=${preview}
      .fallback=${this.#fallbackName()}
      ?busy=${this.#action.busy}
      @keep=${(event: CustomEvent<string>) => this.#keep(event.detail)}
      @back=${() => (this.preview = undefined)}
    ></lists-preview>`;
  }

  #fallbackName(): string {
    const from =
      this.origin === undefined
        ? ""
        : "file" in this.origin
          ? this.origin.file.name
          : (this.origin.path.split("/").at(-1) ?? "");
    return from.replace(/\.(cbl|xml)$/i, "");
  }

  #choose(source: Source): void {
    this.source = source;
    this.#action.forget();
  }

  #pick(event: Event): void {
    const input = event.target as HTMLInputElement;
    const file = input.files?.[0];
    if (file) void this.#look({ file });
    input.value = "";
  }

  readonly #drop = (event: DragEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    const file = event.dataTransfer?.files[0];
    if (file) void this.#look({ file });
  };

  #look(origin: Origin): Promise<boolean> {
    return this.#action.run(async () => {
      this.origin = origin;
      this.preview = await this.post<Preview>(
        "/api/lists/cbl-preview",
        "file" in origin ? origin.file : { path: origin.path },
      );
    });
  }

  #keep(name: string): Promise<boolean> {
    return this.#action.run(async () => {
      const { origin } = this;
      if (!origin) return;
      const [path, body] =
        "file" in origin
          ? [`/api/lists/import-cbl?name=${encodeURIComponent(name)}`, origin.file]
          : ["/api/lists/import-cbl-catalog", { path: origin.path, name }];
      const outcome = await this.post<ImportOutcome>(path, body);
      this.#leave(outcome.id, imported(outcome));
    });
  }

  #takeArc(arc: ArcRow): Promise<boolean> {
    return this.#action.run(async () => {
      const list = await this.post<ListRow>("/api/lists/import-arc", { arcId: arc.id });
      this.#leave(list.id, t("importDialog.wasImported", { name: list.name }));
    });
  }

  #leave(listId: number, message: string): void {
    this.#dialog.close();
    this.longbox.notify(message, { level: "success" });
    this.longbox.navigate(`/lists/${listId}`);
  }
}
