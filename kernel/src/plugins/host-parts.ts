import type { Logger, Releasable } from "@longbox/sdk";
import type { PermissionDeclaring } from "../access/accounts/declaring.js";
import type { Announcing } from "../events/announcing.js";
import type { RouteMounting } from "../http/routing/mounting.js";
import type { SettingsKeeping } from "../settings/keeping.js";
import type { SharedMemory } from "../memory/shared-memory.js";
import type { Hosts } from "../outgoing/hosts.js";
import type { Outgoing } from "../outgoing/outgoing.js";
import type { Storing } from "../storage/storing.js";

/** What the rest of the kernel tells of accounts. Deletion and adoption wait for the listeners. */
export interface AccountWatching {
  onUserDeleted(listener: (userId: number) => Promise<void>): Releasable;
  onUserAdopted(listener: (change: { from: number; to: number }) => Promise<void>): Releasable;
}

/** Serves the files that plugins bring for browsers. */
export interface FileServing {
  /** Serves the folders of these client files at `/plugins/<id>/<hash>/<path inside the package>`, for ever the same. */
  assets(id: string, hash: string, packageFolder: string, files: readonly string[]): Releasable;
  /** Serves a folder at `/`, with its index.html for pages that nothing else claims. */
  site(folder: string): Releasable;
}

/** Everything of the kernel that the plugin host stands on. */
export interface HostParts {
  readonly routes: RouteMounting;
  readonly files: FileServing;
  readonly permissions: PermissionDeclaring;
  readonly events: Announcing;
  readonly settings: SettingsKeeping;
  readonly storage: Storing;
  /** News of accounts for one plugin; what it missed while it was off is told later. */
  readonly accounts: { watching(plugin: string): AccountWatching; forget(plugin: string): Promise<void> };
  readonly outgoing: Outgoing;
  readonly hosts: Hosts;
  readonly memory: SharedMemory;
  /** Takes permissions out of the roles that have them: part of a purge. */
  readonly roles: { forget(permissions: readonly string[]): Promise<void> };
  /** A logger whose lines name their source. */
  logger(source: string): Logger;
}
