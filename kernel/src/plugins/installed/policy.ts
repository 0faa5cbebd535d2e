import { BasePathTaken, covers, overlap } from "../../http/routing/base-paths.js";
import { alikeSpelling } from "../../http/routing/spelling.js";
import type { Fleet } from "./fleet.js";
import type { Member } from "./member.js";
import { satisfies } from "../contracts/satisfying.js";
import { findCycle, type PlannedPlugin } from "./planning.js";
import type { PluginOnDisk } from "../packages/plugin-package.js";
import type { IdOwner } from "./lock-file.js";
import { isHousePackage } from "../packages/package-names.js";
import { PackageRefused } from "../packages/refusals.js";

/**
 * Holds a package against what is installed.
 * @param owners - To which packages ids and permissions belong, also of plugins that were removed
 * @throws {PackageRefused} when its id or a permission is another package's, when it closes a cycle of requirements, or
 * when others that run could not go on with it
 */
export function checkAgainst(fleet: Fleet, plugin: PluginOnDisk, owners: readonly IdOwner[]): void {
  const present = fleet.members.get(plugin.id);
  if (present && present.plugin.package !== plugin.package) {
    throw new PackageRefused(
      "kernel/id-taken",
      `The id "${plugin.id}" belongs to the package "${present.plugin.package}", which is installed.`,
      { details: { id: plugin.id, installed: present.plugin.package } },
    );
  }
  const others = [...fleet.members.values()].filter((member) => member.plugin.id !== plugin.id);
  refuseOwned(plugin, owners);
  refusePermissions(plugin, others);
  refusePages(plugin, others);
  if (!isHousePackage(plugin.package)) {
    refuseBasePaths(plugin, others);
    refuseSlots(plugin, others);
  }
  refuseCycle(plugin, others);
  if (present?.running) refuseBreaking(plugin, present, others);
}

/** A package must not come into the data, the settings or the rights of another that had its id or its permissions. */
function refuseOwned(plugin: PluginOnDisk, owners: readonly IdOwner[]): void {
  const others = owners.filter((owner) => owner.package !== plugin.package);
  const sameId = others.find((owner) => owner.id === plugin.id);
  if (sameId)
    throw new PackageRefused(
      "kernel/id-taken",
      `The id "${plugin.id}" belongs to the package "${sameId.package}", which was removed and whose data is kept. Install that package, or delete its data first.`,
      { details: { id: plugin.id, package: sameId.package } },
    );
  const keys = new Set(plugin.manifest.permissions.map(({ key }) => key));
  for (const owner of others) {
    const permission = owner.permissions.find((key) => keys.has(key));
    if (permission !== undefined)
      throw new PackageRefused(
        "kernel/permission-taken",
        `The plugin "${plugin.id}" declares the permission ${permission}, which belongs to "${owner.id}".`,
        { details: { permission, owner: owner.id, plugin: plugin.id } },
      );
  }
}

function refusePermissions(plugin: PluginOnDisk, others: readonly Member[]): void {
  for (const { key } of plugin.manifest.permissions) {
    const owner = others.find((member) =>
      member.plugin.manifest.permissions.some((permission) => permission.key === key),
    );
    if (owner)
      throw new PackageRefused(
        "kernel/permission-taken",
        `The plugin "${plugin.id}" declares the permission ${key}, which belongs to "${owner.plugin.id}".`,
        { details: { permission: key, owner: owner.plugin.id, plugin: plugin.id } },
      );
  }
}

/** A page of the shell wins over one of a plugin, and of two plugins with one page only the first is shown. */
function refusePages(plugin: PluginOnDisk, others: readonly Member[]): void {
  const taken = others.flatMap(({ plugin: { id, manifest } }) =>
    [...manifest.sitePages, ...(manifest.client?.pages ?? []).map((page) => page.path)].map((page) => ({ id, page })),
  );
  for (const { path } of plugin.manifest.client?.pages ?? []) {
    const other = taken.find(({ page }) => samePage(page, path));
    if (other !== undefined)
      throw new PackageRefused(
        "kernel/page-taken",
        `The plugin "${plugin.id}" has a page at ${path} (longbox.client.pages), which is ${other.page} of "${other.id}".`,
        { details: { page: path, owner: other.id, plugin: plugin.id } },
      );
  }
}

/** Longbox's own plugins are upgraded one after the other: one may come before the page that its part is for. */
function refuseSlots(plugin: PluginOnDisk, others: readonly Member[]): void {
  const sites = others.filter(({ plugin: { manifest } }) => manifest.siteSlots.length > 0);
  const offered = sites.flatMap(({ plugin: { manifest } }) => manifest.siteSlots);
  if (sites.length === 0) return;
  for (const { slot } of plugin.manifest.client?.slots ?? [])
    if (!offered.some((name) => name === slot || (name.endsWith(".*") && slot.startsWith(name.slice(0, -1)))))
      throw new PackageRefused(
        "kernel/no-such-slot",
        `The plugin "${plugin.id}" puts an element into the slot "${slot}" (longbox.client.slots), which no page has. There are ${offered.join(", ")}.`,
        { details: { slot, offered, plugin: plugin.id } },
      );
}

function samePage(one: string, other: string): boolean {
  const [own, others] = [alikeSpelling(one).split("/"), alikeSpelling(other).split("/")];
  return (
    own.length === others.length &&
    own.every((segment, at) => segment === others[at] || segment.startsWith(":") || others[at]!.startsWith(":"))
  );
}

/** Also those of plugins that are switched off, and would find their paths taken. */
function refuseBasePaths({ id, manifest }: PluginOnDisk, others: readonly Member[]): void {
  for (const basePath of manifest.basePaths)
    for (const { plugin } of others) {
      const pages = [...plugin.manifest.sitePages, ...(plugin.manifest.client?.pages ?? []).map(({ path }) => path)];
      const taken =
        plugin.manifest.basePaths.find((path) => overlap(basePath, path)) ??
        pages.find((path) => covers(basePath, path));
      if (taken !== undefined) throw new BasePathTaken(id, basePath, { owner: plugin.id, path: taken });
    }
}

function refuseCycle(plugin: PluginOnDisk, others: readonly Member[]): void {
  const asPlanned = ({ id, manifest }: PluginOnDisk): PlannedPlugin => ({
    id,
    requires: manifest.requires,
    optional: manifest.optional,
    provides: manifest.provides,
  });
  const own = asPlanned(plugin);
  const cycle = findCycle(own, [own, ...others.map((member) => asPlanned(member.plugin))]);
  if (cycle)
    throw new PackageRefused(
      "kernel/requirement-cycle",
      `The requirements of "${plugin.id}" form a cycle: ${cycle.join(" → ")}.`,
      { details: { cycle } },
    );
}

function refuseBreaking(plugin: PluginOnDisk, present: Member, others: readonly Member[]): void {
  for (const other of others.filter((member) => member.running)) {
    refuseLeavingBehind(plugin, present, other);
    for (const [capability, range] of Object.entries(other.plugin.manifest.requires)) {
      if (!(capability in present.plugin.manifest.provides)) continue;
      const offered = plugin.manifest.provides[capability];
      if (offered !== undefined && satisfies(offered, range)) continue;
      const provides = offered === undefined ? "does not provide it any more" : `provides ${offered}`;
      throw new PackageRefused(
        "kernel/breaks-others",
        `"${other.plugin.id}" needs "${capability}" ${range}; version ${plugin.version} of "${plugin.id}" ${provides}.`,
        { details: { needs: other.plugin.id, capability, range } },
      );
    }
  }
}

/** What a plugin adds to an extension point must not be left out because of the new version of the point's owner. */
function refuseLeavingBehind(plugin: PluginOnDisk, present: Member, other: Member): void {
  for (const [point, range] of Object.entries(other.plugin.manifest.contributes)) {
    const before = present.plugin.manifest.opens[point];
    if (before === undefined || !satisfies(before, range)) continue;
    const offered = plugin.manifest.opens[point];
    if (offered !== undefined && satisfies(offered, range)) continue;
    const opens = offered === undefined ? "does not open it any more" : `opens ${offered}`;
    throw new PackageRefused(
      "kernel/breaks-others",
      `"${other.plugin.id}" adds to "${point}" ${range}; version ${plugin.version} of "${plugin.id}" ${opens}.`,
      { details: { needs: other.plugin.id, point, range } },
    );
  }
}

/** Ids of the enabled plugins that could not run without this one. */
export function requiredBy(fleet: Fleet, id: string): string[] {
  const member = fleet.members.get(id);
  if (!member) return [];
  const others = [...fleet.members.values()].filter((other) => other.plugin.id !== id && other.enabled);
  return others
    .filter((other) =>
      Object.keys(other.plugin.manifest.requires).some((capability) => capability in member.plugin.manifest.provides),
    )
    .map((other) => other.plugin.id);
}
