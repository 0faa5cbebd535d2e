import type { LongboxClient } from "@longbox/sdk/client";
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import "./arc-browser.js";
import "./catalog-browser.js";
import type { ArcRow, ImportOutcome, ListRow, Preview } from "./shapes.js";
import { dialogStyle, style } from "./style.js";
import { imported, messageOf } from "./wording.js";
import "./preview.js";

type Source = "file" | "catalog" | "arc";
const sources: ReadonlyArray<readonly [Source, string]> = [["file", "A file"], ["catalog", "The community"], ["arc", "A story arc"]];

/** Where the previewed list is from. */
type Origin = { readonly file: File } | { readonly path: string };

/** Takes lists over: from a file, the community catalog or a story arc. Files are shown before they are kept. */
@customElement("lists-import-dialog")
export class ListsImportDialog extends LitElement {
  @property({ attribute: false }) longbox!: LongboxClient;
  @state() private source: Source = "file";
  @state() private origin: Origin | undefined;
  @state() private preview: Preview | undefined;
  @state() private problem: string | undefined;
  @state() private busy = false;
  @query("dialog") private dialog!: HTMLDialogElement;

  static override styles = [
    style,
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

  /** Opens; with a file, at its preview. */
  show(file?: File): void {
    this.preview = undefined;
    this.problem = undefined;
    this.source = "file";
    this.dialog.showModal();
    if (file) void this.#look({ file });
  }

  override render(): TemplateResult {
    return html`<dialog aria-labelledby="heading" @dragover=${(event: DragEvent) => event.preventDefault()} @drop=${this.#drop}>
      <div class="inside">
        <div class="head">
          <h2 id="heading">${this.preview ? "Keep this list?" : "Import a list"}</h2>
          <button @click=${() => this.dialog.close()}>Close</button>
        </div>
        ${this.preview ? nothing : html`<div class="row" role="group" aria-label="From where">${sources.map(([source, label]) => html`<button aria-pressed=${this.source === source} @click=${() => this.#choose(source)}>${label}</button>`)}</div>`}
        <div role="status" aria-live="polite">${this.#says()}</div>
        ${this.preview ? this.#preview(this.preview) : this.#source()}
      </div>
    </dialog>`;
  }

  #says(): TemplateResult | typeof nothing {
    if (this.problem !== undefined) return html`<p class="problem">${this.problem}</p>`;
    return this.busy ? html`<p class="soft">One moment …</p>` : nothing;
  }

  #source(): TemplateResult {
    if (this.source === "catalog") return html`<lists-catalog-browser .longbox=${this.longbox} ?busy=${this.busy} @choose=${(event: CustomEvent<string>) => this.#look({ path: event.detail })}></lists-catalog-browser>`;
    if (this.source === "arc") return html`<lists-arc-browser .longbox=${this.longbox} ?busy=${this.busy} @choose=${(event: CustomEvent<ArcRow>) => this.#takeArc(event.detail)}></lists-arc-browser>`;
    return html`<div class="drop">
      <p>Drop a reading list here, as ComicRack and others write it: a file whose name ends in <b>.cbl</b>.</p>
      <input class="hidden" id="file" type="file" accept=".cbl,.xml,application/xml,text/xml" aria-label="Reading-list file" tabindex="-1" @change=${this.#pick} />
      <button class="strong" ?disabled=${this.busy} @click=${() => this.renderRoot.querySelector<HTMLInputElement>("#file")?.click()}>Choose a file</button>
    </div>`;
  }

  #preview(preview: Preview): TemplateResult {
    return html`<lists-preview .preview=${preview} .fallback=${this.#fallbackName()} ?busy=${this.busy} @keep=${(event: CustomEvent<string>) => this.#keep(event.detail)} @back=${() => (this.preview = undefined)}></lists-preview>`;
  }

  #fallbackName(): string {
    const from = this.origin === undefined ? "" : "file" in this.origin ? this.origin.file.name : (this.origin.path.split("/").at(-1) ?? "");
    return from.replace(/\.(cbl|xml)$/i, "");
  }

  #choose(source: Source): void {
    this.source = source;
    this.problem = undefined;
  }

  #pick(event: Event): void {
    const input = event.target as HTMLInputElement;
    const file = input.files?.[0];
    input.value = "";
    if (file) void this.#look({ file });
  }

  readonly #drop = (event: DragEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    const file = event.dataTransfer?.files[0];
    if (file) void this.#look({ file });
  };

  #look(origin: Origin): Promise<void> {
    return this.#attempt(async () => {
      this.origin = origin;
      this.preview = await this.longbox.api<Preview>("/api/lists/cbl-preview", { method: "POST", body: "file" in origin ? origin.file : { path: origin.path } });
    });
  }

  #keep(name: string): Promise<void> {
    return this.#attempt(async () => {
      const { origin } = this;
      if (!origin) return;
      const outcome =
        "file" in origin
          ? await this.longbox.api<ImportOutcome>(`/api/lists/import-cbl?name=${encodeURIComponent(name)}`, { method: "POST", body: origin.file })
          : await this.longbox.api<ImportOutcome>("/api/lists/import-cbl-catalog", { method: "POST", body: { path: origin.path, name } });
      this.#leave(outcome.id, imported(outcome));
    });
  }

  #takeArc(arc: ArcRow): Promise<void> {
    return this.#attempt(async () => {
      const list = await this.longbox.api<ListRow>("/api/lists/import-arc", { method: "POST", body: { arcId: arc.id } });
      this.#leave(list.id, `${list.name} is a list now.`);
    });
  }

  #leave(listId: number, message: string): void {
    this.dialog.close();
    this.longbox.notify(message, { level: "success" });
    this.longbox.navigate(`/lists/${listId}`);
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    this.problem = undefined;
    try {
      await work();
    } catch (fault) {
      this.problem = messageOf(fault);
    } finally {
      this.busy = false;
    }
  }
}
