import type { Logger, Releasable } from "@longbox/sdk";
import { AccountNotices } from "../access/accounts/account-notices.js";
import type { PermissionDeclaring } from "../access/accounts/declaring.js";
import { PermissionCatalog } from "../access/accounts/permissions.js";
import { Roles } from "../access/accounts/roles.js";
import type { Announcing } from "../events/announcing.js";
import { EventHub } from "../events/event-hub.js";
import { FrontDoor } from "../http/receiving/front-door.js";
import type { RouteMounting } from "../http/routing/mounting.js";
import { Routes } from "../http/routing/routes.js";
import { inject, injectable } from "../injection.js";
import { Logs } from "../logging/logs.js";
import { SharedMemory } from "../memory/shared-memory.js";
import { Hosts } from "../outgoing/hosts.js";
import { Outgoing } from "../outgoing/outgoing.js";
import { OutsideJson } from "../parsing/outside-json.js";
import { SettingsKeeping } from "../settings/keeping.js";
import { Storing } from "../storage/storing.js";

/** Account events of the kernel. Deletion and adoption wait for the listeners. */
export interface AccountWatching {
  onUserDeleted(listener: (userId: number) => Promise<void>): Releasable;
  onUserAdopted(listener: (change: { from: number; to: number }) => Promise<void>): Releasable;
}

/** Account events for one plugin. Events that it missed while it was disabled are delivered later. */
interface AccountNews {
  watching(plugin: string): AccountWatching;
  forget(plugin: string): Promise<void>;
}

/** Serves the files that plugins bring for browsers. */
export interface FileServing {
  /**
   * Serves the folders of these client files at `/plugins/<id>/<hash>/<path inside the package>`, for ever the same.
   */
  assets(place: string, packageFolder: string, files: readonly string[]): Releasable;
  /** Serves a folder at `/`, with its index.html for pages that nothing else claims. */
  site(folder: string): Releasable;
}

/** All parts of the kernel that the plugin host depends on. */
@injectable()
export class HostParts {
  constructor(
    @inject(Routes) readonly routes: RouteMounting,
    @inject(FrontDoor) readonly files: FileServing,
    @inject(PermissionCatalog) readonly permissions: PermissionDeclaring,
    @inject(EventHub) readonly events: Announcing,
    @inject(SettingsKeeping) readonly settings: SettingsKeeping,
    @inject(Storing) readonly storage: Storing,
    @inject(AccountNotices) readonly accounts: AccountNews,
    @inject(Outgoing) readonly outgoing: Outgoing,
    @inject(OutsideJson) readonly json: OutsideJson,
    @inject(Hosts) readonly hosts: Hosts,
    @inject(SharedMemory) readonly memory: SharedMemory,
    /** Takes permissions out of the roles that have them: part of a purge. */
    @inject(Roles) readonly roles: { forget(permissions: readonly string[]): Promise<void> },
    @inject(Logs) private readonly logs: Logs,
  ) {}

  /** A logger whose lines name their source. */
  logger(source: string): Logger {
    return this.logs.logger(source);
  }
}
