import type { SeriesRow } from "@longbox/collection/api";
import { Action, Dialog, dialogs, element, field, LongboxElement, problem, Resource, t, rich } from "@longbox/sdk/ui";
import { css, html, nothing, type TemplateResult } from "lit";
import { state } from "lit/decorators.js";
import "../match-review.js";
import { style } from "../style.js";

interface ProviderSettings {
  readonly metadata?: { readonly source?: string; readonly baseUrl?: string; readonly apiKey?: string };
}
interface Tested {
  readonly ok: boolean;
  readonly message: string;
}

/** How many series one review goes through. */
const mostSeries = 500;
const keyPage = "https://comicvine.gamespot.com/api/";

/**
 * A step of the first visit: the key of the metadata provider, with a test, while the library is read; afterwards
 * (`subject.finished`) the review of the series that could not be matched with certainty.
 */
@element("metadata-welcome")
export class MetadataWelcome extends LongboxElement<{ readonly finished?: boolean }> {
  @state() private key: string | undefined;
  @state() private tested: Tested | undefined;
  readonly #test = new Action(this);
  readonly #saving = new Action(this);
  readonly #review = new Dialog(this);
  #reviewed: { readonly items: readonly SeriesRow[] } = { items: [] };

  readonly #settings = new Resource<ProviderSettings>(this, {
    path: () => (this.longbox.may("settings.manage") ? "/api/settings" : undefined),
    domains: ["settings"],
  });
  readonly #unmatched = new Resource<readonly SeriesRow[]>(this, {
    path: () => (this.subject.finished ? `/api/collection?filter=unmatched&limit=${mostSeries}` : undefined),
    domains: ["collection"],
  });

  static override styles = [
    style,
    dialogs,
    css`
      :host {
        display: block;
      }
      section {
        display: grid;
        gap: var(--lb-space-3);
        padding: var(--lb-space-4);
        border: 1px solid var(--lb-line);
        border-radius: var(--lb-radius-m);
      }
      form {
        align-items: start;
      }
      .row {
        flex-basis: 100%;
      }
      a {
        text-decoration: underline;
        text-underline-offset: 0.2em;
      }
    `,
  ];

  override render(): unknown {
    return this.#settings.render((settings) => this.#step(settings.metadata ?? {}), { waiting: nothing });
  }

  #step(settings: NonNullable<ProviderSettings["metadata"]>): TemplateResult | typeof nothing {
    const isKeyed = (settings.apiKey ?? "") !== "";
    const needsKey = (settings.source ?? "comicvine") === "comicvine" && !isKeyed;
    const series = (this.#unmatched.value ?? []).filter(({ type }) => type === "comic" || type === "manga");
    if (!needsKey && !this.tested && series.length === 0) return nothing;
    return html`<section aria-labelledby="heading">
      <h2 id="heading">${t("welcome.coversCreditsAndMissing")}</h2>
      ${needsKey || !series.length ? this.#keyForm(needsKey) : this.#offer(series)}
      ${this.#review.render(t("welcome.other", { series: this.#reviewed.items.length }), () => this.#reviewing())}
    </section>`;
  }

  #keyForm(needsKey: boolean): TemplateResult {
    if (!needsKey) return html`<p class="soft" role="status">${this.tested?.message ?? t("welcome.theKeyIsSet")}</p>`;
    const hasKey = (this.key ?? "") !== "";
    return html`<p class="soft">
        ${rich("welcome.comicVineKnowsWho", { link: (text: unknown) => html`<a href=${keyPage} target="_blank" rel="noreferrer">${text}</a>` })}
      </p>
      <form @submit=${this.#save}>
        ${field({ name: "apiKey", label: t("welcome.yourApiKey"), type: "password", autocomplete: "off", input: (key) => this.#typed(key) })}
        <div class="row">
          <button type="button" ?disabled=${!hasKey || this.#test.busy} @click=${this.#try}>
            ${t("welcome.test")}
          </button>
          <button ?disabled=${!hasKey || this.#saving.busy}>${t("welcome.save")}</button>
        </div>
      </form>
      <div role="status">
        ${this.#test.busy ? html`<p class="soft">${t("welcome.testing")}</p>` : nothing}
        ${this.tested ? html`<p class=${this.tested.ok ? "soft" : "problem"}>${this.longbox.said(this.tested.message)}</p>` : nothing}
        ${problem(this.#test.problem ?? this.#saving.problem)}
      </div>`;
  }

  #offer(series: readonly SeriesRow[]): TemplateResult {
    return html`<p class="soft">${t("welcome.longboxMatchesWhatIs")}</p>
      <div>
        <button type="button" aria-haspopup="dialog" @click=${() => this.#open(series)}>
          ${t("welcome.other", { series: series.length })}
        </button>
      </div>`;
  }

  #reviewing(): TemplateResult {
    return html`<metadata-match-review
      .longbox=${this.longbox}
      .subject=${this.#reviewed}
      @done=${() => this.#review.close()}
    ></metadata-match-review>`;
  }

  /** The review keeps its list while what is matched leaves the other one. */
  #open(items: readonly SeriesRow[]): void {
    this.#reviewed = { items };
    void this.#review.open();
  }

  #typed(key: string): void {
    this.key = key.trim();
    this.tested = undefined;
  }

  readonly #try = async (): Promise<void> => {
    await this.#test.run(async () => {
      this.tested = await this.post<Tested>("/api/cv/test", { source: "comicvine", apiKey: this.key });
    });
  };

  readonly #save = async (event: Event): Promise<void> => {
    event.preventDefault();
    const isSaved = await this.#saving.run(() => this.post("/api/settings", { metadata: { apiKey: this.key } }));
    if (!isSaved) return;
    this.tested = { ok: true, message: t("welcome.theKeyIsSaved") };
    await this.#settings.refresh();
  };
}

declare global {
  interface HTMLElementTagNameMap {
    "metadata-welcome": MetadataWelcome;
  }
}
