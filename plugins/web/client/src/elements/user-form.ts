import { Action, field, problem, submitted, t } from "@longbox/sdk/ui";
import { html, LitElement, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { RoleRow, UserRow } from "@longbox/kernel/api";
import type { Shell } from "../shell/shell.js";
import { base, buttons, forms } from "../styles/index.js";

/** Creates or changes an account. Dispatches `saved`. */
@customElement("lb-user-form")
export class UserForm extends LitElement {
  @property({ attribute: false }) longbox!: Shell;
  @property({ attribute: false }) user: UserRow | undefined;
  @property({ attribute: false }) roles: readonly RoleRow[] = [];
  readonly #action = new Action(this);

  static override styles = [base, buttons, forms];

  override render() {
    const { user } = this;
    const self = user?.id === this.longbox.user.id;
    return html`<form @submit=${this.#submit}>
      ${problem(this.#action.problem)}
      ${user ? nothing : field({ name: "username", label: t("userForm.name"), required: true, autocomplete: "off", problem: this.#action.problemOf("username") })}
      ${field({ name: "password", label: user ? t("userForm.newPassword") : t("userForm.password"), type: "password", required: !user, minLength: 8, autocomplete: "new-password", problem: this.#action.problemOf("password"), hint: user ? t("userForm.leaveItEmptyTo") : t("userForm.atLeast8Characters") })}
      ${field({ name: "email", label: t("userForm.eMail"), type: "email", value: user?.email ?? "", autocomplete: "off", problem: this.#action.problemOf("email") })}
      <div class="field">
        <label for="role">${t("userForm.role")}</label>
        <select id="role" name="role" ?disabled=${self}>
          ${this.roles.map((role) => html`<option value=${role.name} ?selected=${role.name === (user?.role ?? "viewer")}>${role.label}</option>`)}
        </select>
      </div>
      ${user && !self ? html`<label class="check"><input type="checkbox" name="active" ?checked=${user.active} /><span>${t("userForm.maySignIn")}</span></label>` : nothing}
      <div><button class="primary">${user ? t("userForm.save") : t("userForm.addTheUser")}</button></div>
    </form>`;
  }

  async #submit(event: Event): Promise<void> {
    const values = submitted(event);
    const saved = await this.#action.run(() => this.#save(values));
    if (saved) this.dispatchEvent(new CustomEvent("saved"));
  }

  #save(values: Record<string, string>): Promise<unknown> {
    if (this.user)
      return this.longbox.api(`/api/users/${this.user.id}`, {
        method: "PATCH",
        body: this.#changes(this.user, values),
      });
    const { username, password, role, email } = values;
    return this.longbox.api("/api/users", {
      method: "POST",
      body: { username, password, role, ...(email ? { email } : {}) },
    });
  }

  /** Sends only what differs: an account may not send its own role, even unchanged. */
  #changes(user: UserRow, values: Record<string, string>): Record<string, unknown> {
    const changes: Record<string, unknown> = {};
    if (values["password"]) changes["password"] = values["password"];
    if ((values["email"] ?? "") !== (user.email ?? ""))
      changes["email"] = values["email"] === "" ? null : values["email"];
    if (user.id === this.longbox.user.id) return changes;
    if (values["role"] !== user.role) changes["role"] = values["role"];
    if ("active" in values !== user.active) changes["active"] = "active" in values;
    return changes;
  }
}
