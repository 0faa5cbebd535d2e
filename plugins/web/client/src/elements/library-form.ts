import { Action, field, problem, Resource, submitted, valueOf, t } from "@longbox/sdk/ui";
import { html, LitElement, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import type { LibraryList, LibraryRow } from "@longbox/collection/api";
import type { Shell } from "../shell/shell.js";
import { base, buttons, forms } from "../styles/index.js";
import "./folder-browser.js";

/** Creates or changes a library. Dispatches `saved` with its id. */
@customElement("lb-library-form")
export class LibraryForm extends LitElement {
  @property({ attribute: false }) longbox!: Shell;
  @property({ attribute: false }) library: LibraryRow | undefined;
  @property() label = t("libraryForm.addTheLibrary");
  @state() private folder = "";
  /** What the user has chosen or typed; until then both follow what the folder holds. */
  @state() private type: string | undefined;
  @state() private name: string | undefined;
  @state() private likelyType = "comic";

  readonly #action = new Action(this);
  readonly #types = new Resource<LibraryList>(this, { path: () => "/api/libraries" });

  static override styles = [base, buttons, forms];

  override render() {
    const { library } = this;
    const types = this.#types.value?.types ?? [];
    const type = this.type ?? library?.type ?? this.likelyType;
    const name = this.name ?? library?.name ?? types.find(({ id }) => id === type)?.label ?? t("libraryForm.comics");
    return html`<form @submit=${this.#submit}>
      ${this.#hasField() ? nothing : problem(this.#action.problem)}
      <lb-folder-browser
        .longbox=${this.longbox}
        .types=${types}
        value=${library?.rootFolder ?? ""}
        problem=${this.#action.problemOf("rootFolder") ?? ""}
        @chosen=${(event: CustomEvent<string>) => (this.folder = event.detail)}
        @counted=${(event: CustomEvent<Readonly<Record<string, number>>>) => this.#follow(event.detail)}
      ></lb-folder-browser>
      ${field({ name: "name", label: t("libraryForm.name"), value: name, required: true, autocomplete: "off", problem: this.#action.problemOf("name"), input: (typed) => (this.name = typed) })}
      <div class="field">
        <label for="type">${t("libraryForm.kind")}</label>
        <select id="type" name="type" @change=${(event: Event) => (this.type = valueOf(event))}>
          ${types.map(({ id, label }) => html`<option value=${id} .selected=${id === type}>${label}</option>`)}
        </select>
      </div>
      ${
        library
          ? html`<label class="check"
              ><input type="checkbox" name="restricted" ?checked=${library.restricted} /><span
                >${t("libraryForm.restrictedOnlyRolesWith")}</span
              ></label
            >`
          : nothing
      }
      <div class="row"><button class="primary" ?disabled=${this.#action.busy}>${this.label}</button><slot></slot></div>
    </form>`;
  }

  /** A folder of nothing but e-books is hardly a library of comics. */
  #follow(ofTypes: Readonly<Record<string, number>>): void {
    const most = Math.max(0, ...Object.values(ofTypes));
    if (most === 0 || ofTypes[this.likelyType] === most) return;
    this.likelyType = Object.keys(ofTypes).find((type) => ofTypes[type] === most) ?? this.likelyType;
  }

  #hasField(): boolean {
    return this.#action.problemOf("name") !== undefined || this.#action.problemOf("rootFolder") !== undefined;
  }

  async #submit(event: Event): Promise<void> {
    const values = submitted(event);
    const body = { name: values["name"], type: values["type"], rootFolder: this.folder };
    const { library } = this;
    const saved = await this.#action.run(() =>
      library
        ? this.longbox.api(`/api/libraries/${library.id}`, {
            method: "POST",
            body: { ...body, restricted: "restricted" in values },
          })
        : this.longbox.api("/api/libraries", { method: "POST", body }),
    );
    if (saved) this.dispatchEvent(new CustomEvent("saved"));
  }
}
