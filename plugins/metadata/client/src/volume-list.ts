import { cover, covers, element, LongboxElement, t } from "@longbox/sdk/ui";
import { css, html, nothing, type TemplateResult } from "lit";
import { property } from "lit/decorators.js";
import type { VolumeCandidate, VolumeRow } from "@longbox/metadata/api";
import { style } from "./style.js";

/** A volume; the candidates of a match also give their reasons. */
type Volume = VolumeRow & Partial<Pick<VolumeCandidate, "score" | "reasons">>;

/** Volumes of the provider, each with a button. Dispatches `choose` with the volume. */
@element("metadata-volumes")
export class MetadataVolumes extends LongboxElement {
  @property({ attribute: false }) volumes: readonly Volume[] = [];
  /** The label of the button. */
  @property() action = t("volumeList.add");
  @property({ type: Boolean }) busy = false;
  /** Volumes that are in the library are shown as links to their series. */
  @property({ type: Boolean }) leadsHome = false;

  static override styles = [
    style,
    covers,
    css`
      ul {
        display: grid;
        gap: var(--lb-space-3);
      }
      li {
        display: grid;
        grid-template-columns: 4.5rem minmax(0, 1fr) auto;
        gap: var(--lb-space-4);
        align-items: center;
        padding: var(--lb-space-3);
        border: 1px solid var(--lb-line);
        border-radius: var(--lb-radius-m);
        background: var(--lb-surface);
      }
      .about {
        display: grid;
        gap: var(--lb-space-1);
      }
      .facts {
        font-family: var(--lb-font-mono);
        font-size: var(--lb-text-xs);
        color: var(--lb-ink-soft);
      }
      .deck {
        display: -webkit-box;
        overflow: hidden;
        -webkit-box-orient: vertical;
        -webkit-line-clamp: 2;
        line-clamp: 2;
        font-size: var(--lb-text-s);
      }
      @media (max-width: 559px) {
        li {
          grid-template-columns: 3.5rem minmax(0, 1fr);
        }
        li > :last-child {
          grid-column: 2;
          justify-self: start;
        }
      }
    `,
  ];

  override render(): TemplateResult {
    return html`<ul>
      ${this.volumes.map((volume) => this.#row(volume))}
    </ul>`;
  }

  #row(volume: Volume): TemplateResult {
    const facts = [
      volume.publisher,
      volume.startYear,
      t("volumeList.issues", { issueCount: volume.issueCount }),
    ].filter((fact) => fact !== null);
    return html`<li>
      ${cover({ path: volume.image, title: volume.name, sizes: "72px", hasOneWidth: true })}
      <div class="about">
        <h3>${volume.name}</h3>
        <p class="facts">
          ${facts.join(" · ")}${volume.score === undefined ? nothing : html` · ${t("volumeList.fitsOf100", { score: volume.score })}`}
        </p>
        ${volume.reasons?.length ? html`<p class="soft deck">${volume.reasons.map((reason) => this.longbox.said(reason)).join(", ")}</p>` : volume.deck ? html`<p class="soft deck">${volume.deck}</p>` : nothing}
      </div>
      ${this.leadsHome && volume.seriesId !== undefined ? this.#home(volume.seriesId, volume.name) : this.#button(volume)}
    </li>`;
  }

  #home(seriesId: number, name: string): TemplateResult {
    return html`<a
      class="button choose"
      href="/series/${seriesId}"
      aria-label=${t("volumeList.isInYourLibrary", { name })}
      >${t("volumeList.inYourLibrary")}</a
    >`;
  }

  #button(volume: Volume): TemplateResult {
    return html`<button
      class="choose"
      ?disabled=${this.busy}
      aria-label="${this.action}: ${volume.name}${volume.startYear === null ? "" : `, ${volume.startYear}`}"
      @click=${() => this.dispatchEvent(new CustomEvent<Volume>("choose", { detail: volume }))}
    >
      ${this.action}
    </button>`;
  }
}
