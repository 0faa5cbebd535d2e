import {
  Action,
  Dialog,
  dialogs,
  element,
  isAway,
  LongboxElement,
  messageOf,
  problem,
  submitted,
  t,
} from "@longbox/sdk/ui";
import { css, html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import type { SeriesRow } from "@longbox/collection/api";
import type { Candidate } from "@longbox/files/api";
import type { VolumeRow } from "@longbox/metadata/api";
import { style } from "../style.js";
import { named } from "../wording.js";

interface Found {
  readonly series: readonly SeriesRow[];
  /** Undefined when no provider could be asked; `trouble` says why where that can be mended. */
  readonly volumes: readonly VolumeRow[] | undefined;
  readonly trouble: string | undefined;
}

/** Looks for the series that a candidate is: in the library first, and at the provider where there is one. */
@element("files-match-dialog")
export class FilesMatchDialog extends LongboxElement {
  @state() private candidate: Candidate | undefined;
  @state() private found: Found | undefined;
  readonly #action = new Action(this);
  readonly #dialog = new Dialog(this);
  #asked = 0;

  static override styles = [
    style,
    dialogs,
    css`
      .field {
        flex: 1 1 10rem;
      }
      ul {
        gap: var(--lb-space-2);
      }
      li {
        display: flex;
        align-items: center;
        justify-content: space-between;
        gap: var(--lb-space-3);
        padding: var(--lb-space-2) var(--lb-space-3);
        border: 1px solid var(--lb-line);
        border-radius: var(--lb-radius-m);
        background: var(--lb-surface);
        overflow-wrap: anywhere;
      }
      li button {
        flex: none;
      }
      section {
        display: grid;
        gap: var(--lb-space-2);
      }
    `,
  ];

  open(candidate: Candidate): void {
    this.candidate = candidate;
    this.found = undefined;
    void this.#dialog.open();
    void this.#search(candidate.name);
  }

  override render(): TemplateResult {
    return this.#dialog.render(t("matchDialog.whichSeriesIs", { name: this.candidate?.name }), () => this.#inside());
  }

  #inside(): TemplateResult {
    const { busy } = this.#action;
    return html`<form
        class="row"
        role="search"
        @submit=${(event: SubmitEvent) => this.#search(submitted(event)["q"]?.trim() ?? "")}
      >
        <label class="field"
          >${t("matchDialog.title")}<input
            name="q"
            type="search"
            autocomplete="off"
            required
            maxlength="300"
            .value=${this.candidate?.name ?? ""}
        /></label>
        <button ?disabled=${busy}>${t("matchDialog.search")}</button>
      </form>
      <div role="status">${busy ? html`<p class="soft">${t("matchDialog.oneMoment")}</p>` : nothing}</div>
      ${problem(this.#action.problem)} ${this.found ? this.#results(this.found) : nothing}`;
  }

  #results({ series, volumes, trouble }: Found): TemplateResult {
    return html`<section aria-labelledby="own">
        <h3 id="own">${t("matchDialog.inTheLibrary")}</h3>
        ${
          series.length === 0
            ? html`<p class="soft">${t("matchDialog.noSeriesOfThe")}</p>`
            : html`<ul>
                ${series.map((row) => this.#row(named(row.title, row.year), row.publisher ?? "", { seriesId: row.id }))}
              </ul>`
        }
      </section>
      ${
        volumes === undefined && trouble === undefined
          ? html`<p class="soft">${t("matchDialog.withTheMetadataPlugin")}</p>`
          : html`<section aria-labelledby="provider">
              <h3 id="provider">${t("matchDialog.atTheProvider")}</h3>
              ${trouble === undefined ? nothing : html`<p class="problem">${trouble}</p>`}
              ${volumes?.length === 0 ? html`<p class="soft">${t("matchDialog.theProviderKnowsNothing")}</p>` : nothing}
              <ul>
                ${volumes?.map((row) => this.#row(named(row.name, row.startYear), [row.publisher, t("matchDialog.issues", { issueCount: row.issueCount })].filter(Boolean).join(" · "), { cvId: row.id }))}
              </ul>
            </section>`
      }`;
  }

  #row(title: string, about: string, choice: { seriesId: number } | { cvId: number }): TemplateResult {
    return html`<li>
      <span>${title} <span class="soft">${about}</span></span
      ><button
        ?disabled=${this.#action.busy}
        aria-label=${t("matchDialog.thisOne", { title })}
        @click=${() => this.#choose(choice)}
      >
        ${t("matchDialog.thisOne2")}
      </button>
    </li>`;
  }

  #search(text: string): Promise<boolean> {
    const asked = ++this.#asked;
    return this.#action.run(async () => {
      const [series, provider] = await Promise.all([
        this.longbox.api<SeriesRow[]>(`/api/collection?limit=20&search=${encodeURIComponent(text)}`),
        this.#askProvider(text),
      ]);
      if (asked === this.#asked) this.found = { series, ...provider };
    });
  }

  async #askProvider(text: string): Promise<Omit<Found, "series">> {
    try {
      return {
        volumes: (await this.longbox.api<VolumeRow[]>(`/api/cv/search?q=${encodeURIComponent(text)}`)).slice(0, 20),
        trouble: undefined,
      };
    } catch (fault) {
      return { volumes: undefined, trouble: isAway(fault) ? undefined : messageOf(fault) };
    }
  }

  #choose(choice: { seriesId: number } | { cvId: number }): Promise<boolean> {
    return this.#action.run(async () => {
      await this.post(`/api/import/candidate/${this.candidate?.id}/match`, choice);
      this.#dialog.close();
      this.dispatchEvent(new CustomEvent("matched"));
    });
  }
}
