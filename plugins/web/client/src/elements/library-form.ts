import { html, LitElement, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { ApiFailure, messageOf } from "../shell/api.js";
import { Resource } from "../shell/resource.js";
import type { LibraryList, LibraryRow } from "../shell/shapes.js";
import type { Shell } from "../shell/shell.js";
import { base, buttons, forms } from "../styles/index.js";
import { field, valuesOf } from "./field.js";
import "./folder-browser.js";

/** Makes a library, or changes one. Says `saved` with its id. */
@customElement("lb-library-form")
export class LibraryForm extends LitElement {
  @property({ attribute: false }) longbox!: Shell;
  @property({ attribute: false }) library: LibraryRow | undefined;
  @property() label = "Add the library";
  @state() private failure: unknown;
  @state() private busy = false;
  @state() private folder = "";

  readonly #types = new Resource<LibraryList>(this, { path: () => "/api/libraries" });

  static override styles = [base, buttons, forms];

  override render() {
    const { library } = this;
    const types = this.#types.value?.types ?? [];
    return html`<form @submit=${this.#submit}>
      ${this.failure === undefined || this.#hasField() ? nothing : html`<p class="problem" role="alert">${messageOf(this.failure)}</p>`}
      ${field({ name: "name", label: "Name", value: library?.name ?? "Comics", required: true, autocomplete: "off", problem: this.#problem("name") })}
      <div class="field">
        <label for="type">Kind</label>
        <select id="type" name="type">
          ${types.map((type) => html`<option value=${type.id} ?selected=${type.id === (library?.type ?? "comic")}>${type.label}</option>`)}
        </select>
      </div>
      <lb-folder-browser .longbox=${this.longbox} value=${library?.rootFolder ?? ""} problem=${this.#problem("rootFolder") ?? ""} @chosen=${(event: CustomEvent<string>) => (this.folder = event.detail)}></lb-folder-browser>
      ${library
        ? html`<label class="check"><input type="checkbox" name="restricted" ?checked=${library.restricted} /><span>Restricted: hidden from roles that may not see restricted things</span></label>`
        : nothing}
      <div class="row"><button class="primary" ?disabled=${this.busy}>${this.label}</button><slot></slot></div>
    </form>`;
  }

  #problem(name: string): string | undefined {
    return this.failure instanceof ApiFailure ? this.failure.field(name) : undefined;
  }

  #hasField(): boolean {
    return this.#problem("name") !== undefined || this.#problem("rootFolder") !== undefined;
  }

  async #submit(event: Event): Promise<void> {
    event.preventDefault();
    const values = valuesOf(event.target as HTMLFormElement);
    const body = { name: values["name"], type: values["type"], rootFolder: this.folder };
    this.busy = true;
    this.failure = undefined;
    try {
      if (this.library) await this.longbox.api(`/api/libraries/${this.library.id}`, { method: "POST", body: { ...body, restricted: "restricted" in values } });
      else await this.longbox.api("/api/libraries", { method: "POST", body });
      this.dispatchEvent(new CustomEvent("saved"));
    } catch (thrown) {
      this.failure = thrown;
    } finally {
      this.busy = false;
    }
  }
}
