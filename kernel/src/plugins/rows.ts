import { z } from "zod";
import type { IsolationChoice } from "./isolated/isolation.js";
import type { RunningPlugin } from "./running/running-plugin.js";
import { stateOf, type Member } from "./installed/member.js";

const permissionRow = z.object({ key: z.string(), label: z.string(), description: z.string(), tier: z.string() });

const keptDataSchema = z.object({ version: z.string(), at: z.string() });

/** One plugin in the answer of `GET /api/plugins`. */
export const pluginRowSchema = z
  .object({
    name: z.string(),
    package: z.string(),
    version: z.string(),
    title: z.string(),
    description: z.string(),
    keywords: z.array(z.string()),
    enabled: z.boolean(),
    state: z.enum(["active", "disabled", "unsatisfied", "needs-config", "failed", "quarantined", "upgrading"]),
    reason: z.string().optional(),
    /** The code of the error for which it does not run. */
    code: z.string().optional(),
    requires: z.record(z.string(), z.string()),
    optional: z.record(z.string(), z.string()),
    provides: z.record(z.string(), z.string()),
    permissions: z.array(permissionRow),
    routes: z.array(z.string()),
    updateAvailable: z.string().optional(),
    /** The version that a rollback goes back to. */
    previousVersion: z.string().optional(),
    /** The versions that a rollback can go to, the newest first. */
    keptVersions: z.array(z.string()).optional(),
    /**
     * Set when that version cannot read the current data: a rollback then restores the data of this time, and sets
     * aside what was written since.
     */
    rollbackRestoresDataOf: z.string().optional(),
    /**
     * The versions whose data is kept as they left it, the last first: a rollback can go to it with `data: "snapshot"`.
     */
    keptData: z.array(keptDataSchema).optional(),
    /** Data that the last rollback set aside, with its folder below the data folder. */
    setAside: z.object({ at: z.string(), folder: z.string() }).optional(),
    installedAt: z.string(),
    /** Where its code runs. */
    isolation: z.object({
      /** What is wanted: the server's process, or one of its own. */
      mode: z.enum(["none", "process"]),
      /**
       * Who wants it: an administrator, the plugin's manifest, the server's setting for other publishers, or nothing
       * but the default.
       */
      by: z.enum(["admin", "manifest", "setting", "default"]),
      /** What keeps it from the rest of the machine, while it runs. `none`: it has the server's rights. */
      fence: z.enum(["none", "bubblewrap", "node-permissions"]).optional(),
      /**
       * The group whose plugins share a process where they are isolated: they can reach each other's data, and end
       * together.
       */
      group: z.string().optional(),
      /** The plugins that are in its process now, beside it. */
      sharedWith: z.array(z.string()).optional(),
    }),
    faults: z.number().int(),
    bytes: z.number().int(),
    linked: z.boolean(),
    /** What the plugin left open when it last stopped; the kernel has closed it. */
    leftOpen: z.array(z.string()).optional(),
    /** How often code of a run that is over tried to do something, since the server started; all of it was refused. */
    callsAfterStop: z.number().int().optional(),
    /** In the answer of an installation: mistakes of its author that do not keep it from running. */
    warnings: z.array(z.object({ code: z.string(), message: z.string() })).optional(),
  })
  .meta({ id: "Plugin" });

export type PluginRow = z.output<typeof pluginRowSchema>;

export interface RowExtras {
  readonly installedAt: string;
  readonly previousVersion: string | undefined;
  readonly keptVersions: readonly string[];
  readonly rollbackRestoresDataOf: string | undefined;
  readonly keptData: readonly z.output<typeof keptDataSchema>[];
  readonly setAside: { readonly at: string; readonly folder: string } | undefined;
  readonly updateAvailable: string | undefined;
  readonly isolation: IsolationChoice;
  readonly faults: number;
  readonly callsAfterStop: number;
  readonly bytes: number;
}

export function rowOf(member: Member, extras: RowExtras): PluginRow {
  const { plugin, running } = member;
  const { manifest } = plugin;
  const ended = running?.isolated?.ended?.fault;
  const failure = member.blocked ?? (ended && { reason: `${ended.account} It is started again.`, code: ended.code });
  const reason = failure?.reason ?? (member.enabled ? member.unsatisfied : undefined);
  return {
    name: plugin.id,
    package: plugin.package,
    version: plugin.version,
    title: manifest.title,
    description: manifest.description,
    keywords: [...plugin.keywords],
    enabled: member.enabled,
    state: stateOf(member),
    ...(reason === undefined ? {} : { reason }),
    ...(failure?.code === undefined ? {} : { code: failure.code }),
    requires: manifest.requires,
    optional: manifest.optional,
    provides: manifest.provides,
    permissions: manifest.permissions,
    routes: (running?.registrations.routes ?? []).map((route) => `${route.method} ${route.path}`),
    ...(extras.updateAvailable === undefined ? {} : { updateAvailable: extras.updateAvailable }),
    ...(extras.previousVersion === undefined ? {} : { previousVersion: extras.previousVersion }),
    ...(extras.keptVersions.length === 0 ? {} : { keptVersions: [...extras.keptVersions] }),
    ...(extras.rollbackRestoresDataOf === undefined ? {} : { rollbackRestoresDataOf: extras.rollbackRestoresDataOf }),
    ...(extras.keptData.length === 0 ? {} : { keptData: [...extras.keptData] }),
    ...(extras.setAside === undefined ? {} : { setAside: extras.setAside }),
    installedAt: extras.installedAt,
    isolation: { ...extras.isolation, ...(running && placeOf(running)) },
    faults: extras.faults,
    bytes: extras.bytes,
    linked: plugin.linked,
    ...(extras.callsAfterStop === 0 ? {} : { callsAfterStop: extras.callsAfterStop }),
    ...(member.leftOpen.length === 0 ? {} : { leftOpen: [...member.leftOpen] }),
  };
}

/** What keeps it from the rest of the machine, and who is inside with it. */
function placeOf({ isolated }: RunningPlugin): Pick<PluginRow["isolation"], "fence" | "sharedWith"> {
  if (!isolated) return { fence: "none" };
  const sharedWith = [...isolated.sharers].sort();
  return {
    fence: isolated.fence === "node" ? "node-permissions" : "bubblewrap",
    ...(sharedWith.length > 0 && { sharedWith }),
  };
}
