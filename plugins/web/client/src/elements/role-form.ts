import { Action, field, problem, t, valuesOf } from "@longbox/sdk/ui";
import { css, html, LitElement, nothing } from "lit";
import { customElement, property } from "lit/decorators.js";
import type { PermissionRow, RoleRow } from "@longbox/kernel/api";
import type { Shell } from "../shell/shell.js";
import { base, buttons, forms } from "../styles/index.js";

const tiers: readonly (readonly [string, string])[] = [
  ["viewer", t("roleForm.forAllUsers")],
  ["trusted", t("roleForm.forTrustedUsers")],
  ["admin", t("roleForm.forAdministrators")],
];

/** The permissions of a role as checkboxes. Built-in roles are read-only. Dispatches `saved`. */
@customElement("lb-role-form")
export class RoleForm extends LitElement {
  @property({ attribute: false }) longbox!: Shell;
  @property({ attribute: false }) existing: RoleRow | undefined;
  @property({ attribute: false }) permissions: readonly PermissionRow[] = [];
  readonly #action = new Action(this);

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
    return html`<form @submit=${this.#submit}>
      ${problem(this.#action.problem)}
      ${role ? nothing : field({ name: "name", label: t("roleForm.shortName"), required: true, autocomplete: "off", problem: this.#action.problemOf("name"), hint: t("roleForm.lowerCaseLettersDigits") })}
      ${fixed ? nothing : field({ name: "label", label: t("roleForm.label"), value: role?.label ?? "", required: true, autocomplete: "off", problem: this.#action.problemOf("label") })}
      ${tiers.map(([tier, label]) => this.#tier(tier, label, fixed))}
      ${fixed ? nothing : html`<div><button class="primary">${role ? t("roleForm.save") : t("roleForm.addTheRole")}</button></div>`}
    </form>`;
  }

  #tier(tier: string, label: string, fixed: boolean) {
    const permissions = this.permissions.filter((permission) => permission.tier === tier);
    if (permissions.length === 0) return nothing;
    const has = (key: string): boolean =>
      this.existing?.permissions.some((own) => own === "*" || own === key) ?? tier === "viewer";
    return html`<fieldset>
      <legend>${label}</legend>
      ${permissions.map(
        (permission) =>
          html`<label class="check">
            <input
              type="checkbox"
              name="permission"
              value=${permission.key}
              ?checked=${has(permission.key)}
              ?disabled=${fixed}
            />
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
    const { existing } = this;
    const saved = await this.#action.run(() =>
      existing
        ? this.longbox.api(`/api/roles/${encodeURIComponent(existing.name)}`, {
            method: "PATCH",
            body: { label, permissions },
          })
        : this.longbox.api("/api/roles", { method: "POST", body: { name, label, permissions } }),
    );
    if (saved) this.dispatchEvent(new CustomEvent("saved"));
  }
}
