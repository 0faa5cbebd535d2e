import type { MatchAnswer, VolumeCandidate, VolumeRow } from "@longbox/metadata/api";
import type { SeriesRow } from "@longbox/collection/api";
import { Action, alongText, cover, covers, element, LongboxElement, submitted, t } from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import { reviewStyle } from "./match-review-style.js";
import { style } from "./style.js";

type Volume = VolumeRow & Partial<Pick<VolumeCandidate, "score" | "reasons">>;

/**
 * The dialog that matches several series (`subject.items`), one after the other: certain matches are applied at once,
 * for the others the covers of the series and of a volume are shown beside each other. Arrow keys choose another
 * volume, Enter takes it, and Delete skips the series.
 */
@element("metadata-match-review")
export class MetadataMatchReview extends LongboxElement<{ readonly items?: readonly SeriesRow[] }> {
  @state() private at = 0;
  @state() private volumes: readonly Volume[] | undefined;
  @state() private chosen = 0;
  @state() private matched = 0;
  readonly #action = new Action(this);

  static override styles = [style, covers, reviewStyle];

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#ask();
  }

  override render(): TemplateResult {
    const all = this.#all;
    const series = all[this.at];
    return html`<p class="label" role="status" aria-live="polite">
        ${t("matchReview.seriesWereMatched", { value: series ? t("matchReview.of", { at: this.at + 1, all: all.length }) : t("matchReview.done"), matched: this.matched })}
      </p>
      ${series ? this.#compare(series) : html`<button class="primary" @click=${() => this.dispatchEvent(new Event("done"))}>${t("matchReview.close")}</button>`}`;
  }

  #compare(series: SeriesRow): TemplateResult {
    const { busy, problem } = this.#action;
    const volume = this.volumes?.[this.chosen];
    return html`<div
        class="pair"
        tabindex="0"
        role="group"
        aria-label=${t("matchReview.compare")}
        @keydown=${this.#pressed}
      >
        <figure>
          ${cover({ path: series.cover, title: series.title, sizes: "180px", isEager: true })}
          <figcaption>
            <strong>${series.title}</strong>
            <span class="soft"
              >${[series.year, t("matchReview.issues", { owned: series.owned })].filter(Boolean).join(" · ")}</span
            >
            <span class="label">${t("matchReview.inYourLibrary")}</span>
          </figcaption>
        </figure>
        ${volume ? this.#volume(volume) : html`<p class="soft">${busy ? t("matchReview.oneMoment") : t("matchReview.nothingWasFoundTry")}</p>`}
      </div>
      ${problem === undefined ? nothing : html`<p class="problem" role="alert">${problem}</p>`} ${this.#buttons(volume)}
      <form role="search" @submit=${(event: SubmitEvent) => this.#search(submitted(event)["q"]?.trim() ?? "")}>
        <label class="field"
          >${t("matchReview.anotherTitleOrThe")}<input
            name="q"
            type="search"
            autocomplete="off"
            maxlength="300"
            required
            .value=${series.title}
        /></label>
        <button ?disabled=${busy}>${t("matchReview.search")}</button>
      </form>`;
  }

  #volume(volume: Volume): TemplateResult {
    const facts = [
      volume.publisher,
      volume.startYear,
      t("matchReview.issues2", { issueCount: volume.issueCount }),
    ].filter(Boolean);
    return html`<figure aria-live="polite">
      ${cover({ path: volume.image, title: volume.name, sizes: "180px", hasOneWidth: true, isEager: true })}
      <figcaption>
        <strong>${volume.name}</strong>
        <span class="soft">${facts.join(" · ")}</span>
        ${volume.reasons?.length ? html`<span class="soft">${volume.reasons.map((reason) => this.longbox.said(reason)).join(", ")}</span>` : nothing}
        <span class="label"
          >${t("matchReview.ofFound", { chosen: this.chosen + 1, volumes: this.volumes?.length ?? 0 })}</span
        >
      </figcaption>
    </figure>`;
  }

  #buttons(volume: Volume | undefined): TemplateResult {
    const { busy } = this.#action;
    const isAlone = (this.volumes?.length ?? 0) < 2;
    return html`<div class="row">
      <button class="primary" ?disabled=${busy || !volume} @click=${() => this.#take()}>
        ${t("matchReview.thisOne")}
      </button>
      <button ?disabled=${isAlone} @click=${() => this.#step(-1)}>${t("matchReview.previous")}</button>
      <button ?disabled=${isAlone} @click=${() => this.#step(1)}>${t("matchReview.next")}</button>
      <button ?disabled=${busy} @click=${() => this.#next()}>${t("matchReview.skip")}</button>
      <span class="soft keys" aria-hidden="true">${t("matchReview.chooseEnterTakeDel")}</span>
    </div>`;
  }

  get #all(): readonly SeriesRow[] {
    return (this.subject.items ?? []).filter(({ matched }) => !matched);
  }

  readonly #pressed = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget || this.#action.busy) return;
    const key = alongText(event.key);
    if (key === "ArrowRight") this.#step(1);
    else if (key === "ArrowLeft") this.#step(-1);
    else if (event.key === "Enter") void this.#take();
    else if (event.key === "Delete") void this.#next();
    else return;
    event.preventDefault();
  };

  #step(by: 1 | -1): void {
    const found = this.volumes?.length ?? 0;
    if (found > 0) this.chosen = (this.chosen + by + found) % found;
  }

  /** Asks for the present series; a certain match is taken, and the next series is asked for. */
  async #ask(): Promise<void> {
    const series = this.#all[this.at];
    if (!series) return;
    [this.volumes, this.chosen] = [undefined, 0];
    let isMatched = false;
    await this.#action.run(async () => {
      const answer = await this.post<MatchAnswer>("/api/cv/match", { seriesId: series.id });
      isMatched = answer.matched;
      if (!answer.matched) this.volumes = answer.candidates;
    });
    if (!isMatched) return this.#focus();
    this.matched += 1;
    await this.#next();
  }

  async #take(): Promise<void> {
    const [series, volume] = [this.#all[this.at], this.volumes?.[this.chosen]];
    if (!series || !volume) return;
    const body = { seriesId: series.id, providerId: volume.id };
    if (!(await this.#action.run(() => this.post("/api/cv/match", body)))) return;
    this.matched += 1;
    await this.#next();
  }

  async #next(): Promise<void> {
    this.at += 1;
    await this.#ask();
  }

  async #search(text: string): Promise<void> {
    await this.#action.run(async () => {
      this.volumes = await this.longbox.api<VolumeRow[]>(`/api/cv/search?q=${encodeURIComponent(text)}`);
      this.chosen = 0;
    });
    this.#focus();
  }

  /** The keys work at once, also after a button or the field was used. */
  #focus(): void {
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>(".pair")?.focus());
  }
}
