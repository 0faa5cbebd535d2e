import { Action, element, LongboxElement, submitted, t } from "@longbox/sdk/ui";
import { css, html, nothing, type TemplateResult } from "lit";
import { property, state } from "lit/decorators.js";
import type { ArcRow } from "@longbox/metadata/api";
import { rowStyle, style } from "./style.js";

/** Story arcs of the provider. Fires `choose` with an arc. */
@element("lists-arc-browser")
export class ListsArcBrowser extends LongboxElement {
  @property({ type: Boolean }) busy = false;
  @state() private found: readonly ArcRow[] | undefined;
  readonly #search = new Action(this);

  static override styles = [
    style,
    rowStyle,
    css`
      :host {
        display: grid;
        gap: var(--lb-space-3);
      }
    `,
  ];

  override render(): TemplateResult {
    return html`<form role="search" @submit=${(event: SubmitEvent) => this.#ask(submitted(event)["q"]?.trim() ?? "")}>
        <label class="field"
          >${t("arcBrowser.titleOfTheStory")}<input name="q" type="search" required maxlength="300" autocomplete="off"
        /></label>
        <button ?disabled=${this.#search.busy}>${t("arcBrowser.search")}</button>
      </form>
      <div role="status" aria-live="polite">${this.#says()}</div>
      ${
        this.found?.length
          ? html`<ul class="rows">
              ${this.found.map(
                (arc) =>
                  html`<li>
                    <span class="what"
                      ><strong>${arc.name}</strong
                      ><span class="facts"
                        >${[arc.publisher, arc.deck].filter((part) => part !== null).join(" · ")}</span
                      ></span
                    >
                    <button
                      ?disabled=${this.busy}
                      aria-label=${t("arcBrowser.makeAListOf", { name: arc.name })}
                      @click=${() => this.dispatchEvent(new CustomEvent("choose", { detail: arc }))}
                    >
                      ${t("arcBrowser.makeAList")}
                    </button>
                  </li>`,
              )}
            </ul>`
          : nothing
      }`;
  }

  #says(): TemplateResult | typeof nothing {
    const { busy, problem } = this.#search;
    if (problem !== undefined) return html`<p class="problem">${problem}</p>`;
    if (busy) return html`<p class="soft">${t("arcBrowser.oneMoment")}</p>`;
    return this.found?.length === 0 ? html`<p class="soft">${t("arcBrowser.theProviderHasNo")}</p>` : nothing;
  }

  async #ask(title: string): Promise<void> {
    if (title === "") return;
    await this.#search.run(async () => {
      this.found = await this.longbox.api<ArcRow[]>(`/api/cv/arcs?q=${encodeURIComponent(title)}`);
    });
  }
}
