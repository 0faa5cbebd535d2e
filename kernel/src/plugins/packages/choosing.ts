import semver from "semver";
import { PackageRefused } from "./refusals.js";
import type { Packument, PublishedVersion } from "./registry-client.js";

/** The version of a package that was asked for, or the newest that the registry recommends. */
export function chooseVersion(packument: Packument, asked: string | undefined): PublishedVersion {
  const wanted = asked ?? newest(packument);
  const exact = wanted === undefined ? undefined : packument.versions[packument["dist-tags"][wanted] ?? wanted];
  if (exact) return exact;
  const best =
    wanted !== undefined && semver.validRange(wanted) !== null
      ? semver.maxSatisfying(Object.keys(packument.versions), wanted)
      : null;
  const found = best === null ? undefined : packument.versions[best];
  if (found) return found;
  throw new PackageRefused(
    "kernel/version-not-found",
    `The registry has no version ${wanted ?? ""} of "${packument.name}".`,
    { details: { versions: Object.keys(packument.versions) } },
  );
}

/** What `latest` says, or the highest version when the registry has no such tag. */
export function newest(packument: Packument): string | undefined {
  return packument["dist-tags"]["latest"] ?? semver.rsort(Object.keys(packument.versions))[0];
}
