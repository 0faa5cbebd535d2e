import type { LongboxClient } from "@longbox/sdk/client";
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { messageOf, type VolumeRow } from "./shapes.js";
import { style } from "./style.js";
import "./volume-list.js";

/** `/add`: looks for series at the provider and adds them to the library. */
@customElement("metadata-add-page")
export class MetadataAddPage extends LitElement {
  @property({ attribute: false }) longbox!: LongboxClient;
  @state() private found: readonly VolumeRow[] | undefined;
  @state() private problem: string | undefined;
  @state() private busy = false;

  static override styles = [
    style,
    css`
      :host {
        padding: var(--lb-space-5) var(--lb-gutter, var(--lb-space-4)) var(--lb-space-7);
      }
      .page {
        display: grid;
        gap: var(--lb-space-5);
        max-width: 60rem;
      }
    `,
  ];

  override render(): TemplateResult {
    return html`<div class="page">
      <h1>Add series</h1>
      <form role="search" @submit=${this.#search}>
        <label>Title, or the address of a volume<input name="q" type="search" autocomplete="off" required maxlength="300" /></label>
        <button class="strong" ?disabled=${this.busy}>Search</button>
      </form>
      <div role="status" aria-live="polite">${this.#says()}</div>
      <metadata-volumes .longbox=${this.longbox} .volumes=${this.found ?? []} action="Add" leadsHome ?busy=${this.busy} @choose=${(event: CustomEvent<VolumeRow>) => this.#add(event.detail)}></metadata-volumes>
    </div>`;
  }

  #says(): TemplateResult | typeof nothing {
    if (this.problem !== undefined) return html`<p class="problem">${this.problem}</p>`;
    if (this.busy) return html`<p class="soft">One moment …</p>`;
    if (this.found?.length === 0) return html`<p class="soft">The provider knows nothing by that name.</p>`;
    return nothing;
  }

  #search(event: SubmitEvent): void {
    event.preventDefault();
    const q = String(new FormData(event.target as HTMLFormElement).get("q") ?? "").trim();
    if (q === "") return;
    void this.#attempt(async () => {
      this.found = await this.longbox.api<VolumeRow[]>(`/api/cv/search?q=${encodeURIComponent(q)}`);
    });
  }

  async #add(volume: VolumeRow): Promise<void> {
    await this.#attempt(async () => {
      const { seriesId, queued } = await this.longbox.api<{ seriesId: number; queued: number }>("/api/collection/add-cv", { method: "POST", body: { providerId: volume.id } });
      this.found = this.found?.map((row) => (row.id === volume.id ? { ...row, inLibrary: true, seriesId } : row));
      this.longbox.notify(queued > 0 ? `${volume.name} was added, ${queued} issues are queued.` : `${volume.name} was added.`, { level: "success" });
    });
  }

  async #attempt(work: () => Promise<void>): Promise<void> {
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
