import { Action, bytes, element, LongboxElement, moment, Resource, rich, t } from "@longbox/sdk/ui";
import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import { style } from "./style.js";

interface Copy {
  readonly name: string;
  readonly createdAt: string;
  readonly sizeBytes: number;
}

/** The copies of backups in the place that the settings name. What is brought back is restored from the list above. */
@element("operations-backup-copies")
export class CopiesList extends LongboxElement {
  static override styles = style;
  readonly #copies = new Resource<readonly Copy[]>(this, { path: "/api/backup-copies", domains: ["jobs"] });
  readonly #action = new Action(this, {
    notify: true,
    after: () => this.dispatchEvent(new CustomEvent("brought-back", { bubbles: true, composed: true })),
  });

  override render(): TemplateResult {
    return html`<h2 class="below">${t("copiesList.copies")}</h2>
      ${this.#copies.render((copies) => this.#list(copies))}`;
  }

  #list(copies: readonly Copy[]): TemplateResult {
    if (copies.length === 0)
      return html`<p class="soft">
        ${rich("copiesList.thereIsNoCopy", { link: (text: unknown) => html`<a href="/settings#operations">${text}</a>` })}
      </p>`;
    return html`<p class="soft">${t("copiesList.eachWasRestored")}</p>
      <ul>
        ${repeat(
          copies,
          ({ name }) => name,
          (copy) =>
            html`<li class="card">
              <div class="row spread">
                <div>
                  <h3>${moment(copy.createdAt)}</h3>
                  <p class="label">
                    ${bytes(copy.sizeBytes)}${copy.name.endsWith(".age") ? html` · ${t("copiesList.encrypted")}` : nothing}
                  </p>
                </div>
                ${this.#button(copy)}
              </div>
              <p class="soft">${copy.name}</p>
            </li>`,
        )}
      </ul>`;
  }

  #button({ name, createdAt }: Copy): TemplateResult | typeof nothing {
    if (!this.longbox.may("plugins.manage")) return nothing;
    const path = `/api/backup-copies/${encodeURIComponent(name)}/bring-back`;
    return html`<button
      type="button"
      ?disabled=${this.#action.busy}
      aria-label=${t("copiesList.bringBackTheCopyOf", { day: moment(createdAt) })}
      @click=${() => void this.#action.run(() => this.post(path), t("copiesList.itIsAmongTheBackups"))}
    >
      ${t("copiesList.bringBack")}
    </button>`;
  }
}
