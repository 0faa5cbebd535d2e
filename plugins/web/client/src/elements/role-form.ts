import { css, html, LitElement, nothing } from "lit";
import { customElement, property, state } from "lit/decorators.js";
import { ApiFailure, messageOf } from "../shell/api.js";
import type { PermissionRow, RoleRow } from "../shell/shapes.js";
import type { Shell } from "../shell/shell.js";
import { base, buttons, forms } from "../styles/index.js";
import { field, valuesOf } from "./field.js";

const tiers: readonly (readonly [string, string])[] = [
  ["viewer", "For everybody"],
  ["trusted", "For the trusted"],
  ["admin", "For those who keep the server"],
];

/** What a role may do, to be ticked. Built-in roles can only be looked at. Says `saved`. */
@customElement("lb-role-form")
export class RoleForm extends LitElement {
  @property({ attribute: false }) longbox!: Shell;
  @property({ attribute: false }) existing: RoleRow | undefined;
  @property({ attribute: false }) permissions: readonly PermissionRow[] = [];
  @state() private failure: unknown;

  static override styles = [
    base,
    buttons,
    forms,
    css`
      fieldset {
        display: grid;
        gap: var(--lb-space-2);
      }
      legend {
        margin-bottom: var(--lb-space-1);
        font-weight: 600;
      }
      .check span span {
        display: block;
      }
    `,
  ];

  override render() {
    const role = this.existing;
    const fixed = role?.builtin ?? false;
    const problem = (name: string): string | undefined => (this.failure instanceof ApiFailure ? this.failure.field(name) : undefined);
    return html`<form @submit=${this.#submit}>
      ${this.failure === undefined ? nothing : html`<p class="problem" role="alert">${messageOf(this.failure)}</p>`}
      ${role ? nothing : field({ name: "name", label: "Short name", required: true, autocomplete: "off", problem: problem("name"), hint: "Lower-case letters, digits and hyphens." })}
      ${fixed ? nothing : field({ name: "label", label: "Label", value: role?.label ?? "", required: true, autocomplete: "off", problem: problem("label") })}
      ${tiers.map(([tier, label]) => this.#tier(tier, label, fixed))} ${fixed ? nothing : html`<div><button class="primary">${role ? "Save" : "Add the role"}</button></div>`}
    </form>`;
  }

  #tier(tier: string, label: string, fixed: boolean) {
    const permissions = this.permissions.filter((permission) => permission.tier === tier);
    if (permissions.length === 0) return nothing;
    const has = (key: string): boolean => this.existing?.permissions.some((own) => own === "*" || own === key) ?? tier === "viewer";
    return html`<fieldset>
      <legend>${label}</legend>
      ${permissions.map(
        (permission) => html`<label class="check">
          <input type="checkbox" name="permission" value=${permission.key} ?checked=${has(permission.key)} ?disabled=${fixed} />
          <span>${permission.label}<span class="hint">${permission.description}</span></span>
        </label>`,
      )}
    </fieldset>`;
  }

  async #submit(event: Event): Promise<void> {
    event.preventDefault();
    const form = event.target as HTMLFormElement;
    const { name, label } = valuesOf(form);
    const permissions = new FormData(form).getAll("permission");
    this.failure = undefined;
    try {
      if (this.existing) await this.longbox.api(`/api/roles/${encodeURIComponent(this.existing.name)}`, { method: "PATCH", body: { label, permissions } });
      else await this.longbox.api("/api/roles", { method: "POST", body: { name, label, permissions } });
      this.dispatchEvent(new CustomEvent("saved"));
    } catch (thrown) {
      this.failure = thrown;
    }
  }
}
