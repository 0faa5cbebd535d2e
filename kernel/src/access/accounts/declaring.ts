import type { Releasable } from "@longbox/sdk";
import type { PermissionDeclaration } from "@longbox/sdk/manifest";

/** The catalog of permissions, as the plugin host uses it. */
export interface PermissionDeclaring {
  /**
   * Adds a plugin's permissions to the catalog and to the built-in roles by their tier.
   * @throws {LongboxError} `kernel/permission-taken`, naming both, when the key is the kernel's or another plugin's
   */
  declare(plugin: string, permissions: readonly PermissionDeclaration[]): Releasable;
}
