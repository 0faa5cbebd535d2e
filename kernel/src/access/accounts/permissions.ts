import { Conflict, LongboxError, releasable, type Access, type Releasable } from "@longbox/sdk";
import type { PermissionDeclaration } from "@longbox/sdk/manifest";
import { Happening } from "../../events/happening.js";
import type { PermissionDeclaring } from "./declaring.js";
import { injectable } from "../../injection.js";

export type Tier = "viewer" | "trusted" | "admin";

/** One entry of the catalog. `plugin` is left out for the kernel's own. */
export interface Permission extends PermissionDeclaration {
  readonly plugin?: string;
}

const tierPermissions: Readonly<Record<string, string>> = {
  viewer: "library.view",
  trusted: "library.manage",
  admin: "plugins.manage",
};

/** The permission that an access rule asks for; undefined for `public` and `signed-in`, which ask for none. */
export function permissionFor(access: Access): string | undefined {
  if (access === "public" || access === "signed-in") return undefined;
  return tierPermissions[access] ?? access;
}

/** The permissions of the kernel. */
export const corePermissions: readonly PermissionDeclaration[] = [
  {
    key: "library.view",
    label: "Browse the library",
    description: "See the library, what is new and the queue.",
    tier: "viewer",
  },
  {
    key: "library.manage",
    label: "Manage the library",
    description: "Add to the library and remove from it, scan, tag, import and fix matches.",
    tier: "trusted",
  },
  {
    key: "library.restricted",
    label: "See restricted content",
    description: "See and read content that is flagged as mature.",
    tier: "trusted",
  },
  {
    key: "settings.manage",
    label: "Change settings",
    description: "Change settings and run connection tests.",
    tier: "admin",
  },
  {
    key: "users.manage",
    label: "Manage accounts",
    description: "Manage accounts, roles and permissions.",
    tier: "admin",
  },
  {
    key: "plugins.manage",
    label: "Manage plugins",
    description: "Install, enable and disable plugins, and restart the server.",
    tier: "admin",
  },
  { key: "system.jobs", label: "Run jobs", description: "Run jobs, schedules and maintenance tools.", tier: "admin" },
  { key: "system.logs", label: "See logs", description: "See and clear the server's logs.", tier: "admin" },
];

/** The catalog of permissions: the kernel's and, while they run, the plugins'. */
@injectable()
export class PermissionCatalog implements PermissionDeclaring {
  /** The declarations of each key: two while one version of a plugin takes over from another. The last one counts. */
  readonly #permissions = new Map<string, readonly Permission[]>(
    corePermissions.map((permission) => [permission.key, [permission]]),
  );
  readonly #changed = new Happening<void>();

  declare(plugin: string, permissions: readonly PermissionDeclaration[]): Releasable {
    for (const permission of permissions) this.#refuseTaken(plugin, permission);
    const declared = permissions.map((permission): Permission => ({ ...permission, plugin }));
    for (const permission of declared)
      this.#permissions.set(permission.key, [...(this.#permissions.get(permission.key) ?? []), permission]);
    this.#changed.tell();
    return releasable(() => this.#withdraw(declared));
  }

  has(key: string): boolean {
    return this.#permissions.has(key);
  }

  list(): Permission[] {
    return this.#present().sort((one, other) => one.key.localeCompare(other.key));
  }

  /** The keys that a built-in role has: its own tier's and those of the tiers below it. */
  keysUpTo(tier: Tier): Set<string> {
    const tiers =
      tier === "admin" ? ["viewer", "trusted", "admin"] : tier === "trusted" ? ["viewer", "trusted"] : ["viewer"];
    return new Set(
      this.#present()
        .filter((permission) => tiers.includes(permission.tier))
        .map((permission) => permission.key),
    );
  }

  onChange(listener: () => void): Releasable {
    return this.#changed.on(listener);
  }

  /** Both versions of one plugin may declare a key while one takes over from the other. */
  #refuseTaken(plugin: string, permission: PermissionDeclaration): void {
    const present = this.#permissions.get(permission.key)?.at(-1);
    if (present === undefined || present.plugin === plugin) return;
    const owner = present.plugin ?? "kernel";
    throw new Conflict(
      "kernel/permission-taken",
      `The plugin "${plugin}" declares the permission ${permission.key}, which belongs to "${owner}".`,
      {
        permission: permission.key,
        owner,
        plugin,
      },
    );
  }

  #present(): Permission[] {
    return [...this.#permissions.values()].map((declarations) => declarations.at(-1)!);
  }

  #withdraw(permissions: readonly Permission[]): void {
    for (const permission of permissions) {
      const left = this.#permissions.get(permission.key)?.filter((declared) => declared !== permission) ?? [];
      if (left.length === 0) this.#permissions.delete(permission.key);
      else this.#permissions.set(permission.key, left);
    }
    this.#changed.tell();
  }
}

/** @throws {LongboxError} `kernel/undeclared-permission` when the rule names a permission that is not declared */
export function requireDeclared(catalog: PermissionCatalog, access: Access, where: string): void {
  const permission = permissionFor(access);
  if (permission === undefined || catalog.has(permission)) return;
  throw new LongboxError(
    "internal",
    "kernel/undeclared-permission",
    `${where} asks for the permission ${permission}, which is not declared.`,
    { permission },
  );
}
