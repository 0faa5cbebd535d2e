import { BadInput, Conflict, type Releasable } from "@longbox/sdk";
import type { Kysely, Transaction } from "kysely";
import { z } from "zod";
import { Happening } from "../../events/happening.js";
import { RoleNotFound } from "../access-errors.js";
import { PermissionCatalog, type Tier } from "./permissions.js";
import { Rights } from "./rights.js";
import type { AccessTables } from "../tables.js";
import { inject, injectable } from "../../injection.js";
import { AccessDatabase } from "../tables.js";
import { AccountsChanged } from "../access-tokens.js";

export interface Role {
  readonly name: string;
  readonly label: string;
  readonly builtin: boolean;
  readonly permissions: readonly string[];
}

const builtins: ReadonlyArray<{ readonly name: Tier; readonly label: string }> = [
  { name: "viewer", label: "Viewer" },
  { name: "trusted", label: "Trusted" },
  { name: "admin", label: "Administrator" },
];
const keysSchema = z.array(z.string());

/** The built-in roles, which follow the catalog by tier, and custom roles. */
@injectable()
export class Roles {
  readonly #database: Kysely<AccessTables>;
  readonly #catalog: PermissionCatalog;
  readonly #changed: () => void;
  readonly #custom = new Map<string, { label: string; keys: readonly string[] }>();
  readonly #rights = new Map<string, Rights>();
  readonly #edited = new Happening<string>();

  constructor(
    @inject(AccessDatabase) database: Kysely<AccessTables>,
    @inject(PermissionCatalog) catalog: PermissionCatalog,
    @inject(AccountsChanged) changed: () => void,
  ) {
    this.#database = database;
    this.#changed = changed;
    this.#catalog = catalog;
    catalog.onChange(() => this.#refresh());
  }

  async load(): Promise<void> {
    for (const row of await this.#database.selectFrom("role").selectAll().execute()) {
      this.#custom.set(row.name, { label: row.label, keys: keysSchema.parse(JSON.parse(row.permissions)) });
    }
    this.#refresh();
  }

  list(): Role[] {
    const own = builtins.map((role) => ({ ...role, builtin: true, permissions: this.rights(role.name).list() }));
    const custom = [...this.#custom].map(([name, role]) => ({
      name,
      label: role.label,
      builtin: false,
      permissions: role.keys,
    }));
    return [...own, ...custom.sort((one, other) => one.name.localeCompare(other.name))];
  }

  has(name: string): boolean {
    return builtins.some((role) => role.name === name) || this.#custom.has(name);
  }

  /** The rights of a role; none for a deleted role. The object follows every later change. */
  rights(name: string): Rights {
    const present = this.#rights.get(name);
    if (present !== undefined) return present;
    const rights = new Rights(this.#keys(name));
    // Other names are not remembered.
    if (this.has(name)) this.#rights.set(name, rights);
    return rights;
  }

  /** The roles that have a permission. */
  holding(permission: string): string[] {
    return this.list()
      .map((role) => role.name)
      .filter((name) => this.rights(name).has(permission));
  }

  /** @throws {Conflict} `kernel/role-taken` */
  async add(role: { name: string; label: string; permissions: readonly string[] }): Promise<void> {
    if (this.has(role.name))
      throw new Conflict("kernel/role-taken", `The role "${role.name}" already exists.`, { name: role.name });
    this.#requireKnown(role.permissions);
    await this.#database
      .insertInto("role")
      .values({ name: role.name, label: role.label, permissions: JSON.stringify(role.permissions) })
      .execute();
    this.#custom.set(role.name, { label: role.label, keys: [...role.permissions] });
    this.#refresh();
    this.#changed();
  }

  /** @param verify - Runs in the same transaction, after the change; what it throws undoes the change */
  async change(
    name: string,
    change: { label?: string | undefined; permissions?: readonly string[] | undefined },
    verify: (database: Transaction<AccessTables>) => Promise<void>,
  ): Promise<void> {
    const before = this.#requireCustom(name);
    if (change.permissions !== undefined) this.#requireKnown(change.permissions, before.keys);
    const after = { label: change.label ?? before.label, keys: change.permissions ?? before.keys };
    this.#custom.set(name, after);
    this.#refresh();
    try {
      await this.#database.transaction().execute(async (database) => {
        await database
          .updateTable("role")
          .set({ label: after.label, permissions: JSON.stringify(after.keys) })
          .where("name", "=", name)
          .execute();
        await verify(database);
      });
    } catch (thrown) {
      this.#custom.set(name, before);
      this.#refresh();
      throw thrown;
    }
    this.#edited.tell(name);
    this.#changed();
  }

  /** Calls the listener with the role whose rights changed. */
  onChanged(listener: (name: string) => void): Releasable {
    return this.#edited.on(listener);
  }

  /** Takes permissions away for good: a plugin that may come to declare them later finds them granted to no role. */
  async forget(permissions: readonly string[]): Promise<void> {
    const gone = new Set(permissions);
    for (const [name, { keys }] of [...this.#custom]) {
      if (!keys.some((key) => gone.has(key))) continue;
      await this.change(name, { permissions: keys.filter((key) => !gone.has(key)) }, async () => {});
    }
  }

  /** @throws {Conflict} `kernel/role-in-use` while an account has it */
  async remove(name: string): Promise<void> {
    this.#requireCustom(name);
    await this.#database.transaction().execute(async (database) => {
      const user = await database
        .selectFrom("account")
        .select("username")
        .where("role", "=", name)
        .limit(1)
        .executeTakeFirst();
      if (user !== undefined)
        throw new Conflict("kernel/role-in-use", `The role "${name}" is in use, by ${user.username} for one.`, {
          name,
        });
      await database.deleteFrom("role").where("name", "=", name).execute();
    });
    this.#custom.delete(name);
    this.#refresh();
    this.#changed();
  }

  #requireCustom(name: string): { label: string; keys: readonly string[] } {
    if (builtins.some((role) => role.name === name))
      throw new Conflict("kernel/role-builtin", `The role "${name}" is built in; make a role of your own instead.`, {
        name,
      });
    const role = this.#custom.get(name);
    if (role === undefined) throw new RoleNotFound(name);
    return role;
  }

  /** Keys of plugins that are switched off just now stay in a role that has them. */
  #requireKnown(keys: readonly string[], known: readonly string[] = []): void {
    const unknown = keys.filter((key) => !this.#catalog.has(key) && !known.includes(key));
    if (unknown.length > 0)
      throw new BadInput("kernel/unknown-permission", `There is no permission ${unknown.join(", ")}.`, {
        permissions: `unknown: ${unknown.join(", ")}`,
      });
  }

  #keys(name: string): ReadonlySet<string> | "all" {
    if (name === "admin") return "all";
    if (name === "viewer" || name === "trusted") return this.#catalog.keysUpTo(name);
    return new Set(this.#custom.get(name)?.keys.filter((key) => this.#catalog.has(key)) ?? []);
  }

  #refresh(): void {
    for (const [name, rights] of this.#rights) rights.replace(this.#keys(name));
  }
}
