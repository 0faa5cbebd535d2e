import { confirm, Dialog, icon, moment, Resource, skeleton, t, trouble } from "@longbox/sdk/ui";
import { css, html, nothing } from "lit";
import { customElement, state } from "lit/decorators.js";
import "../elements/role-form.js";
import "../elements/user-form.js";
import type { PermissionRow, RoleRow, UserRow } from "@longbox/kernel/api";
import { dialogs, page } from "../styles/index.js";
import { Page } from "./page.js";

type Open =
  | { readonly kind: "user"; readonly user: UserRow | undefined }
  | { readonly kind: "role"; readonly role: RoleRow | undefined };

/** The accounts, and the permissions of each role. */
@customElement("lb-users-page")
export class UsersPage extends Page {
  @state() private open: Open | undefined;
  readonly #editing = new Dialog(this);

  readonly #users = new Resource<readonly UserRow[]>(this, { path: () => "/api/users" });
  readonly #roles = new Resource<readonly RoleRow[]>(this, { path: () => "/api/roles" });
  readonly #permissions = new Resource<readonly PermissionRow[]>(this, {
    path: () => "/api/permissions",
    domains: ["plugins"],
  });

  static override styles = [
    page,
    dialogs,
    css`
      td:last-child {
        text-align: end;
        white-space: nowrap;
      }
      .part {
        display: flex;
        flex-wrap: wrap;
        align-items: end;
        justify-content: space-between;
        gap: var(--lb-space-3);
        margin: var(--lb-space-6) 0 var(--lb-space-3);
      }
      tr.off td {
        color: var(--lb-ink-soft);
      }
    `,
  ];

  override render() {
    if (this.#users.error !== undefined && !this.#users.value)
      return trouble(this.#users.error, () => void this.#users.refresh(), "page");
    return html`
      <div class="page-head">
        <h1>${t("users.users")}</h1>
        <button class="primary" @click=${() => this.#edit({ kind: "user", user: undefined })}>
          ${icon("plus")}${t("users.addAUser")}
        </button>
      </div>
      ${this.#users.value ? this.#userTable(this.#users.value) : skeleton()}
      <div class="part">
        <h2>${t("users.roles")}</h2>
        <button @click=${() => this.#edit({ kind: "role", role: undefined })}>
          ${icon("plus")}${t("users.addARole")}
        </button>
      </div>
      ${this.#roles.value ? this.#roleTable(this.#roles.value) : nothing} ${this.#dialog()}
    `;
  }

  #userTable(users: readonly UserRow[]) {
    return html`<div class="table-scroll" tabindex="0" role="region" aria-label=${t("users.users")}>
      <table>
        <thead>
          <tr>
            <th scope="col">${t("users.name")}</th>
            <th scope="col">${t("users.role")}</th>
            <th scope="col">${t("users.lastSeen")}</th>
            <th scope="col"><span class="hidden">${t("users.actions")}</span></th>
          </tr>
        </thead>
        <tbody>
          ${users.map((user) => this.#userRow(user))}
        </tbody>
      </table>
    </div>`;
  }

  #userRow(user: UserRow) {
    const self = user.id === this.longbox.user.id;
    return html`<tr class=${user.active ? "" : "off"}>
      <td>
        <b>${user.username}</b> ${self ? html`<span class="tag">${t("users.you")}</span>` : nothing}
        ${user.active ? nothing : html`<span class="tag warn">${t("users.switchedOff")}</span>`}<br /><span class="soft"
          >${user.email ?? ""}</span
        >
      </td>
      <td>${this.#roles.value?.find((role) => role.name === user.role)?.label ?? user.role}</td>
      <td>${user.lastSeenAt ? moment(user.lastSeenAt) : t("users.never")}</td>
      <td>
        <button
          class="quiet round"
          aria-label=${t("users.change", { username: user.username })}
          title=${t("users.change2")}
          @click=${() => this.#edit({ kind: "user", user })}
        >
          ${icon("edit")}
        </button>
        ${self ? nothing : html`<button class="quiet round" aria-label=${t("users.delete", { username: user.username })} title=${t("users.delete2")} @click=${() => this.#deleteUser(user)}>${icon("trash")}</button>`}
      </td>
    </tr>`;
  }

  #roleTable(roles: readonly RoleRow[]) {
    return html`<div class="table-scroll" tabindex="0" role="region" aria-label=${t("users.roles")}>
      <table>
        <thead>
          <tr>
            <th scope="col">${t("users.role")}</th>
            <th scope="col">${t("users.mayDo")}</th>
            <th scope="col">${t("users.has")}</th>
            <th scope="col"><span class="hidden">${t("users.actions")}</span></th>
          </tr>
        </thead>
        <tbody>
          ${roles.map((role) => this.#roleRow(role))}
        </tbody>
      </table>
    </div>`;
  }

  #roleRow(role: RoleRow) {
    const everything = role.permissions.includes("*");
    return html`<tr>
      <td><b>${role.label}</b>${role.builtin ? html` <span class="tag">${t("users.builtIn")}</span>` : nothing}</td>
      <td>${everything ? t("users.everything") : t("users.things", { permissions: role.permissions.length })}</td>
      <td>${t("users.users2", { users: role.users })}</td>
      <td>
        <button
          class="quiet round"
          aria-label="${role.builtin ? t("users.see") : t("users.change2")} ${role.label}"
          @click=${() => this.#edit({ kind: "role", role })}
        >
          ${icon(role.builtin ? "eye" : "edit")}
        </button>
        ${role.builtin ? nothing : html`<button class="quiet round" aria-label=${t("users.delete3", { label: role.label })} @click=${() => this.#deleteRole(role)}>${icon("trash")}</button>`}
      </td>
    </tr>`;
  }

  #dialog() {
    const { open } = this;
    return this.#editing.render(
      labelOf(open),
      () =>
        html`${open?.kind === "user" ? html`<lb-user-form .longbox=${this.longbox} .user=${open.user} .roles=${this.#roles.value ?? []} @saved=${this.#saved}></lb-user-form>` : nothing}
        ${open?.kind === "role" ? html`<lb-role-form .longbox=${this.longbox} .existing=${open.role} .permissions=${this.#permissions.value ?? []} @saved=${this.#saved}></lb-role-form>` : nothing}`,
    );
  }

  #edit(open: Open): void {
    this.open = open;
    void this.#editing.open();
  }

  #saved(): void {
    this.#editing.close();
    void this.#users.refresh();
    void this.#roles.refresh();
  }

  async #deleteUser(user: UserRow): Promise<void> {
    const sure = await confirm({
      heading: t("users.delete4", { username: user.username }),
      text: t("users.theAccountIsDeleted"),
      action: t("users.delete2"),
      isDangerous: true,
    });
    if (!sure) return;
    await this.attempt(
      () => this.longbox.api(`/api/users/${user.id}`, { method: "DELETE" }),
      t("users.wasDeleted", { username: user.username }),
    );
    this.#saved();
  }

  async #deleteRole(role: RoleRow): Promise<void> {
    const sure = await confirm({
      heading: t("users.deleteTheRole", { label: role.label }),
      text: t("users.onlyARoleWithout"),
      action: t("users.delete2"),
      isDangerous: true,
    });
    if (!sure) return;
    await this.attempt(
      () => this.longbox.api(`/api/roles/${encodeURIComponent(role.name)}`, { method: "DELETE" }),
      t("users.wasDeleted2", { label: role.label }),
    );
    this.#saved();
  }
}

function labelOf(open: Open | undefined): string {
  if (open?.kind === "user")
    return open.user ? t("users.change", { username: open.user.username }) : t("users.addAUser");
  if (open?.kind === "role") return open.role ? open.role.label : t("users.addARole");
  return "";
}
