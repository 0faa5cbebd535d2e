import { html, LitElement, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { ApiFailure, messageOf } from "../shell/api.js";
import type { RoleRow, UserRow } from "../shell/shapes.js";
import type { Shell } from "../shell/shell.js";
import { base, buttons, forms } from "../styles/index.js";
import { field, valuesOf } from "./field.js";

/** Makes an account for somebody, or changes one. Says `saved`. */
@customElement("lb-user-form")
export class UserForm extends LitElement {
  @property({ attribute: false }) longbox!: Shell;
  @property({ attribute: false }) user: UserRow | undefined;
  @property({ attribute: false }) roles: readonly RoleRow[] = [];
  @state() private failure: unknown;

  static override styles = [base, buttons, forms];

  override render() {
    const { user } = this;
    const self = user?.id === this.longbox.user.id;
    const problem = (name: string): string | undefined => (this.failure instanceof ApiFailure ? this.failure.field(name) : undefined);
    return html`<form @submit=${this.#submit}>
      ${this.failure === undefined ? nothing : html`<p class="problem" role="alert">${messageOf(this.failure)}</p>`}
      ${user ? nothing : field({ name: "username", label: "Name", required: true, autocomplete: "off", problem: problem("username") })}
      ${field({ name: "password", label: user ? "New password" : "Password", type: "password", required: !user, minLength: 8, autocomplete: "new-password", problem: problem("password"), hint: user ? "Leave it empty to keep the present one." : "At least 8 characters." })}
      ${field({ name: "email", label: "E-mail", type: "email", value: user?.email ?? "", autocomplete: "off", problem: problem("email") })}
      <div class="field">
        <label for="role">Role</label>
        <select id="role" name="role" ?disabled=${self}>
          ${this.roles.map((role) => html`<option value=${role.name} ?selected=${role.name === (user?.role ?? "viewer")}>${role.label}</option>`)}
        </select>
      </div>
      ${user && !self ? html`<label class="check"><input type="checkbox" name="active" ?checked=${user.active} /><span>May sign in</span></label>` : nothing}
      <div><button class="primary">${user ? "Save" : "Add the user"}</button></div>
    </form>`;
  }

  async #submit(event: Event): Promise<void> {
    event.preventDefault();
    const values = valuesOf(event.target as HTMLFormElement);
    this.failure = undefined;
    try {
      if (this.user) await this.longbox.api(`/api/users/${this.user.id}`, { method: "PATCH", body: this.#changes(this.user, values) });
      else await this.longbox.api("/api/users", { method: "POST", body: { username: values["username"], password: values["password"], role: values["role"], ...(values["email"] ? { email: values["email"] } : {}) } });
      this.dispatchEvent(new CustomEvent("saved"));
    } catch (thrown) {
      this.failure = thrown;
    }
  }

  /** Only what differs: an account may not change its own role, whatever the value. */
  #changes(user: UserRow, values: Record<string, string>): Record<string, unknown> {
    const changes: Record<string, unknown> = {};
    if (values["password"]) changes["password"] = values["password"];
    if ((values["email"] ?? "") !== (user.email ?? "")) changes["email"] = values["email"] === "" ? null : values["email"];
    if (user.id === this.longbox.user.id) return changes;
    if (values["role"] !== user.role) changes["role"] = values["role"];
    if ("active" in values !== user.active) changes["active"] = "active" in values;
    return changes;
  }
}
