import { Action, field, problem, Resource, submitted } from "@longbox/sdk/ui";
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
  @property() label = "Add the library";
  @state() private folder = "";

  readonly #action = new Action(this);
  readonly #types = new Resource<LibraryList>(this, { path: () => "/api/libraries" });

  static override styles = [base, buttons, forms];

  override render() {
    const { library } = this;
    const types = this.#types.value?.types ?? [];
    return html`<form @submit=${this.#submit}>
      ${this.#hasField() ? nothing : problem(this.#action.problem)}
      ${field({ name: "name", label: "Name", value: library?.name ?? "Comics", required: true, autocomplete: "off", problem: this.#action.problemOf("name") })}
      <div class="field">
        <label for="type">Kind</label>
        <select id="type" name="type">
          ${types.map((type) => html`<option value=${type.id} ?selected=${type.id === (library?.type ?? "comic")}>${type.label}</option>`)}
        </select>
      </div>
      <lb-folder-browser
        .longbox=${this.longbox}
        value=${library?.rootFolder ?? ""}
        problem=${this.#action.problemOf("rootFolder") ?? ""}
        @chosen=${(event: CustomEvent<string>) => (this.folder = event.detail)}
      ></lb-folder-browser>
      ${
        library
          ? html`<label class="check"
              ><input type="checkbox" name="restricted" ?checked=${library.restricted} /><span
                >Restricted: hidden from roles that may not see restricted things</span
              ></label
            >`
          : nothing
      }
      <div class="row"><button class="primary" ?disabled=${this.#action.busy}>${this.label}</button><slot></slot></div>
    </form>`;
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
