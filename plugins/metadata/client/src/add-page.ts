import { Action, element, LongboxElement, notice, pageFrame, submitted, t } from "@longbox/sdk/ui";
import { css, html, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import type { VolumeRow } from "@longbox/metadata/api";
import { style } from "./style.js";
import "./volume-list.js";

/** `/add`: looks for series at the provider and adds them to the library. */
@element("metadata-add-page")
export class MetadataAddPage extends LongboxElement {
  @state() private found: readonly VolumeRow[] | undefined;
  readonly #action = new Action(this);

  static override styles = [
    style,
    pageFrame,
    css`
      .page {
        display: grid;
        gap: var(--lb-space-5);
        max-width: 60rem;
      }
    `,
  ];

  override render(): TemplateResult {
    const { busy } = this.#action;
    return html`<div class="page">
      <h1>${t("addPage.addSeries")}</h1>
      <form role="search" @submit=${(event: SubmitEvent) => this.#search(submitted(event)["q"]?.trim() ?? "")}>
        <label class="field"
          >${t("addPage.titleOrTheAddress")}<input name="q" type="search" autocomplete="off" required maxlength="300"
        /></label>
        <button class="primary" ?disabled=${busy}>${t("addPage.search")}</button>
      </form>
      <div role="status" aria-live="polite">${this.#says()}</div>
      <metadata-volumes
        .longbox=${this.longbox}
        .volumes=${this.found ?? []}
        action=${t("addPage.add")}
        leadsHome
        ?busy=${busy}
        @choose=${(event: CustomEvent<VolumeRow>) => this.#add(event.detail)}
      ></metadata-volumes>
    </div>`;
  }

  #says(): TemplateResult {
    const { busy, problem } = this.#action;
    if (problem !== undefined) return html`<p class="problem">${problem}</p>`;
    if (busy) return html`<p class="soft">${t("addPage.oneMoment")}</p>`;
    if (this.found !== undefined && this.found.length > 0)
      return html`<h2>${t("addPage.volumes", { found: this.found.length })}</h2>`;
    return this.found === undefined
      ? notice({ drawing: "search", heading: t("addPage.whatAreYouLookingFor"), text: t("addPage.typeATitle") })
      : notice({ drawing: "box", heading: t("addPage.nothingWasFound"), text: t("addPage.theProviderFoundNothing") });
  }

  async #search(text: string): Promise<void> {
    if (text === "") return;
    await this.#action.run(async () => {
      this.found = await this.longbox.api<VolumeRow[]>(`/api/cv/search?q=${encodeURIComponent(text)}`);
    });
  }

  async #add(volume: VolumeRow): Promise<void> {
    await this.#action.run(async () => {
      const { seriesId, queued } = await this.post<{ seriesId: number; queued: number }>("/api/collection/add-cv", {
        providerId: volume.id,
      });
      this.found = this.found?.map((row) => (row.id === volume.id ? { ...row, inLibrary: true, seriesId } : row));
      this.longbox.notify(
        queued > 0
          ? t("addPage.wasAddedItemsAre", { name: volume.name, queued })
          : t("addPage.wasAdded", { name: volume.name }),
        { level: "success" },
      );
    });
  }
}
