import { Action, element, LongboxElement, submitted, t } from "@longbox/sdk/ui";
import { css, html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import type { MatchAnswer, VolumeRow } from "@longbox/metadata/api";
import type { SeriesRow } from "@longbox/collection/api";
import { style } from "./style.js";
import "./volume-list.js";

/** The dialog that matches a series (`subject.series`) with a volume, automatically or by the user's choice. */
@element("metadata-series-actions")
export class MetadataSeriesActions extends LongboxElement<{ readonly series?: SeriesRow }> {
  @state() private volumes: readonly VolumeRow[] | undefined;
  readonly #action = new Action(this);

  static override styles = [
    style,
    css`
      :host {
        display: grid;
        gap: var(--lb-space-4);
      }
    `,
  ];

  /** A certain match is applied at once; otherwise the user chooses. */
  override connectedCallback(): void {
    super.connectedCallback();
    const { series } = this.subject;
    if (series && !series.matched) void this.#match(series);
  }

  override render(): TemplateResult | typeof nothing {
    const { series } = this.subject;
    return series ? this.#choices(series) : nothing;
  }

  #choices(series: SeriesRow): TemplateResult {
    const { busy, problem } = this.#action;
    return html`<form
        role="search"
        @submit=${(event: SubmitEvent) => this.#search(submitted(event)["q"]?.trim() ?? "")}
      >
        <label class="field"
          >${t("seriesActions.anotherTitleOrThe")}<input
            name="q"
            type="search"
            autocomplete="off"
            maxlength="300"
            required
            .value=${series.title}
        /></label>
        <button ?disabled=${busy}>${t("seriesActions.search")}</button>
      </form>
      <div role="status" aria-live="polite">
        ${problem === undefined ? (this.volumes?.length === 0 ? html`<p class="soft">${t("seriesActions.nothingWasFoundTry")}</p>` : nothing) : html`<p class="problem">${problem}</p>`}
      </div>
      <metadata-volumes
        .longbox=${this.longbox}
        .volumes=${this.volumes ?? []}
        action=${t("seriesActions.thisOne")}
        ?busy=${busy}
        @choose=${(event: CustomEvent<VolumeRow>) => this.#choose(series, event.detail)}
      ></metadata-volumes>`;
  }

  async #match(series: SeriesRow): Promise<void> {
    await this.#action.run(async () => {
      const answer = await this.post<MatchAnswer>("/api/cv/match", { seriesId: series.id });
      if (answer.matched) return this.#tell(series, answer);
      this.volumes = answer.candidates;
    });
  }

  async #choose(series: SeriesRow, volume: VolumeRow): Promise<void> {
    await this.#action.run(async () => {
      this.#tell(series, await this.post<MatchAnswer>("/api/cv/match", { seriesId: series.id, providerId: volume.id }));
    });
  }

  async #search(text: string): Promise<void> {
    await this.#action.run(async () => {
      this.volumes = await this.longbox.api<VolumeRow[]>(`/api/cv/search?q=${encodeURIComponent(text)}`);
    });
  }

  #tell(series: SeriesRow, answer: MatchAnswer): void {
    this.dispatchEvent(new Event("done"));
    this.longbox.notify(
      t("seriesActions.wasMatched", {
        title: series.title,
        reasons: answer.reasons.map((reason) => this.longbox.said(reason)).join(", "),
      }),
      {
        level: "success",
      },
    );
    if (answer.seriesId !== series.id) this.longbox.navigate(`/series/${answer.seriesId}`, { replace: true });
  }
}
