import type { LongboxClient } from "@longbox/sdk/client";
import { css, html, LitElement, nothing, type TemplateResult } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { ArcRow } from "./shapes.js";
import { style } from "./style.js";
import { messageOf } from "./wording.js";

/** Story arcs of the provider. Fires `choose` with an arc. */
@customElement("lists-arc-browser")
export class ListsArcBrowser extends LitElement {
  @property({ attribute: false }) longbox!: LongboxClient;
  @property({ type: Boolean }) busy = false;
  @state() private found: readonly ArcRow[] | undefined;
  @state() private problem: string | undefined;
  @state() private asking = false;

  static override styles = [
    style,
    css`
      :host {
        display: grid;
        gap: var(--lb-space-3);
      }
      li {
        display: flex;
        gap: var(--lb-space-3);
        align-items: center;
        justify-content: space-between;
        padding: var(--lb-space-2) 0;
        border-top: 1px solid var(--lb-line);
      }
      .what {
        display: grid;
        min-width: 0;
        overflow-wrap: anywhere;
      }
      button {
        flex: none;
      }
    `,
  ];

  override render(): TemplateResult {
    return html`<form role="search" @submit=${this.#search}>
        <label>Title of the story arc<input name="q" type="search" required maxlength="300" autocomplete="off" /></label>
        <button ?disabled=${this.asking}>Search</button>
      </form>
      <div role="status" aria-live="polite">${this.#says()}</div>
      <ul>
        ${(this.found ?? []).map((arc) => html`<li>
          <span class="what"><strong>${arc.name}</strong><span class="facts">${[arc.publisher, arc.deck].filter((part) => part !== null).join(" · ")}</span></span>
          <button ?disabled=${this.busy} aria-label="Make a list of ${arc.name}" @click=${() => this.dispatchEvent(new CustomEvent("choose", { detail: arc }))}>Make a list</button>
        </li>`)}
      </ul>`;
  }

  #says(): TemplateResult | typeof nothing {
    if (this.problem !== undefined) return html`<p class="problem">${this.problem}</p>`;
    if (this.asking) return html`<p class="soft">One moment …</p>`;
    return this.found?.length === 0 ? html`<p class="soft">The provider knows no story arc by that name.</p>` : nothing;
  }

  async #search(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const q = String(new FormData(event.target as HTMLFormElement).get("q") ?? "").trim();
    if (q === "") return;
    this.asking = true;
    this.problem = undefined;
    try {
      this.found = await this.longbox.api<ArcRow[]>(`/api/cv/arcs?q=${encodeURIComponent(q)}`);
    } catch (fault) {
      this.problem = messageOf(fault);
    } finally {
      this.asking = false;
    }
  }
}
