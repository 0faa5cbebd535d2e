import { Action, Dialog, dialogs, element, LongboxElement, submitted } from "@longbox/sdk/ui";
import { css, html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import type { MatchAnswer, SubjectSeries, VolumeRow } from "./shapes.js";
import { style } from "./style.js";
import "./volume-list.js";

/** Says which volume a series (`subject.series`) is, or asks the provider anew about one that is matched. */
@element("metadata-series-actions")
export class MetadataSeriesActions extends LongboxElement<{ readonly series?: SubjectSeries }> {
  @state() private volumes: readonly VolumeRow[] | undefined;
  readonly #action = new Action(this);
  readonly #dialog = new Dialog(this);

  static override styles = [
    style,
    dialogs,
    css`
      :host {
        display: contents;
      }
    `,
  ];

  override render(): TemplateResult | typeof nothing {
    const { series } = this.subject;
    if (!series || !this.longbox.may("library.manage")) return nothing;
    return html`<button ?disabled=${this.#action.busy} @click=${() => (series.matched ? this.#refresh(series) : this.#match(series))}>${series.matched ? "Refresh details" : "Find details"}</button>
      ${this.#dialog.render(`Which one is ${series.title}?`, () => this.#choices(series))}`;
  }

  #choices(series: SubjectSeries): TemplateResult {
    const { busy, problem } = this.#action;
    return html`<form role="search" @submit=${(event: SubmitEvent) => this.#search(submitted(event)["q"]?.trim() ?? "")}>
        <label class="field">Another title, or the address of a volume<input name="q" type="search" autocomplete="off" maxlength="300" required .value=${series.title} /></label>
        <button ?disabled=${busy}>Search</button>
      </form>
      <div role="status" aria-live="polite">${problem === undefined ? (this.volumes?.length === 0 ? html`<p class="soft">Nothing was found. Try another title.</p>` : nothing) : html`<p class="problem">${problem}</p>`}</div>
      <metadata-volumes .longbox=${this.longbox} .volumes=${this.volumes ?? []} action="This one" ?busy=${busy} @choose=${(event: CustomEvent<VolumeRow>) => this.#choose(series, event.detail)}></metadata-volumes>`;
  }

  async #refresh(series: SubjectSeries): Promise<void> {
    await this.#action.run(() => this.post(`/api/collection/${series.id}/metadata`), `${series.title} is up to date.`);
    if (this.#action.problem !== undefined) this.longbox.notify(this.#action.problem, { level: "danger" });
  }

  /** Where the evidence leaves no doubt the provider's answer is taken at once; else a person chooses. */
  async #match(series: SubjectSeries): Promise<void> {
    await this.#action.run(async () => {
      const answer = await this.post<MatchAnswer>("/api/cv/match", { seriesId: series.id });
      if (answer.matched) return this.#tell(series, answer);
      this.volumes = answer.candidates;
    });
    if (this.#action.problem !== undefined || this.volumes !== undefined) await this.#dialog.open();
  }

  async #choose(series: SubjectSeries, volume: VolumeRow): Promise<void> {
    await this.#action.run(async () => {
      this.#tell(series, await this.post<MatchAnswer>("/api/cv/match", { seriesId: series.id, providerId: volume.id }));
      this.#dialog.close();
    });
  }

  async #search(text: string): Promise<void> {
    await this.#action.run(async () => {
      this.volumes = await this.longbox.api<VolumeRow[]>(`/api/cv/search?q=${encodeURIComponent(text)}`);
    });
  }

  #tell(series: SubjectSeries, answer: MatchAnswer): void {
    this.volumes = undefined;
    this.longbox.notify(`${series.title} was matched: ${answer.reasons.join(", ")}.`, { level: "success" });
    if (answer.seriesId !== series.id) this.longbox.navigate(`/series/${answer.seriesId}`, { replace: true });
  }
}
