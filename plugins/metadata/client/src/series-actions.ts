import type { ClientSubject, LongboxClient } from "@longbox/sdk/client";
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, property, query, state } from "lit/decorators.js";
import { messageOf, type MatchAnswer, type SubjectSeries, type VolumeRow } from "./shapes.js";
import { style } from "./style.js";
import "./volume-list.js";

/** Says which volume a series (`subject.series`) is, or asks the provider anew about one that is matched. */
@customElement("metadata-series-actions")
export class MetadataSeriesActions extends LitElement {
  @property({ attribute: false }) longbox!: LongboxClient;
  @property({ attribute: false }) subject: ClientSubject = {};
  @state() private volumes: readonly VolumeRow[] | undefined;
  @state() private problem: string | undefined;
  @state() private busy = false;
  @query("dialog") private dialog!: HTMLDialogElement;

  static override styles = [
    style,
    css`
      :host {
        display: contents;
      }
      .beside {
        min-height: 2.5rem;
        background: var(--lb-surface);
      }
      dialog {
        width: min(46rem, calc(100vw - 2 * var(--lb-space-4)));
        max-height: min(48rem, calc(100dvh - 2 * var(--lb-space-4)));
        padding: var(--lb-space-5);
        border: 1px solid var(--lb-line);
        border-radius: var(--lb-radius-l);
        background: var(--lb-page);
        color: var(--lb-ink);
        box-shadow: var(--lb-shadow-2);
      }
      dialog::backdrop {
        background: rgb(0 0 0 / 55%);
      }
      .inside {
        display: grid;
        gap: var(--lb-space-4);
      }
      .head {
        display: flex;
        align-items: center;
        justify-content: space-between;
        gap: var(--lb-space-3);
      }
    `,
  ];

  override render(): TemplateResult | typeof nothing {
    const series = this.#series;
    if (!series || !this.longbox.may("library.manage")) return nothing;
    return html`<button class="beside" ?disabled=${this.busy} @click=${() => (series.matched ? this.#refresh(series) : this.#match(series))}>${series.matched ? "Refresh details" : "Find details"}</button>
      <dialog aria-labelledby="heading">
        <div class="inside">
          <div class="head">
            <h2 id="heading">Which one is ${series.title}?</h2>
            <button @click=${() => this.dialog.close()}>Close</button>
          </div>
          <form role="search" @submit=${this.#search}>
            <label>Another title, or the address of a volume<input name="q" type="search" autocomplete="off" maxlength="300" required .value=${series.title} /></label>
            <button ?disabled=${this.busy}>Search</button>
          </form>
          <div role="status" aria-live="polite">
            ${this.problem === undefined ? (this.volumes?.length === 0 ? html`<p class="soft">Nothing was found. Try another title.</p>` : nothing) : html`<p class="problem">${this.problem}</p>`}
          </div>
          <metadata-volumes .longbox=${this.longbox} .volumes=${this.volumes ?? []} action="This one" ?busy=${this.busy} @choose=${(event: CustomEvent<VolumeRow>) => this.#choose(event.detail)}></metadata-volumes>
        </div>
      </dialog>`;
  }

  get #series(): SubjectSeries | undefined {
    return this.subject["series"] as SubjectSeries | undefined;
  }

  async #refresh(series: SubjectSeries): Promise<void> {
    await this.#attempt(async () => {
      await this.longbox.api(`/api/collection/${series.id}/metadata`, { method: "POST" });
      this.longbox.notify(`${series.title} is up to date.`, { level: "success" });
    });
    if (this.problem !== undefined) this.longbox.notify(this.problem, { level: "danger" });
  }

  /** Where the evidence leaves no doubt the provider's answer is taken at once; else a person chooses. */
  async #match(series: SubjectSeries): Promise<void> {
    await this.#attempt(async () => {
      const answer = await this.longbox.api<MatchAnswer>("/api/cv/match", { method: "POST", body: { seriesId: series.id } });
      if (answer.matched) return this.#tell(series, answer);
      this.volumes = answer.candidates;
    });
    if (this.problem !== undefined || this.volumes !== undefined) this.dialog.showModal();
  }

  async #choose(volume: VolumeRow): Promise<void> {
    const series = this.#series;
    if (!series) return;
    await this.#attempt(async () => {
      this.#tell(series, await this.longbox.api<MatchAnswer>("/api/cv/match", { method: "POST", body: { seriesId: series.id, providerId: volume.id } }));
      this.dialog.close();
    });
  }

  #search(event: SubmitEvent): void {
    event.preventDefault();
    const q = String(new FormData(event.target as HTMLFormElement).get("q") ?? "").trim();
    void this.#attempt(async () => {
      this.volumes = await this.longbox.api<VolumeRow[]>(`/api/cv/search?q=${encodeURIComponent(q)}`);
    });
  }

  #tell(series: SubjectSeries, answer: MatchAnswer): void {
    this.volumes = undefined;
    this.longbox.notify(`${series.title} was matched: ${answer.reasons.join(", ")}.`, { level: "success" });
    if (answer.seriesId !== series.id) this.longbox.navigate(`/series/${answer.seriesId}`, { replace: true });
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
