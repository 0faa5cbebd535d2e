import semver from "semver";
import { z } from "zod";
import { PackageRefused } from "./refusals.js";
import type { Packument, PublishedVersion } from "./registry-client.js";

/** All that the choice of a version needs of a package. */
const written = z.object({ sdk: z.string() });
const ofNode = z.object({ node: z.string() });

/**
 * Whether a version is written for this SDK and this Node. What says neither fits: looking at it says what is wrong.
 */
function fits({ longbox, engines }: PublishedVersion, sdkVersion: string): boolean {
  return (
    isWithin(sdkVersion, written.safeParse(longbox).data?.sdk) &&
    isWithin(process.versions.node, ofNode.safeParse(engines).data?.node)
  );
}

function isWithin(version: string, range: string | undefined): boolean {
  return range === undefined || semver.satisfies(version, range, { includePrerelease: true });
}

/** The version of a package that was asked for, or the newest that fits this server. */
export function chooseVersion(packument: Packument, asked: string | undefined, sdkVersion: string): PublishedVersion {
  const wanted = asked ?? newest(packument, sdkVersion);
  const exact = wanted === undefined ? undefined : packument.versions[packument["dist-tags"][wanted] ?? wanted];
  if (exact) return exact;
  const best =
    wanted !== undefined && semver.validRange(wanted) !== null
      ? semver.maxSatisfying(fitting(packument, sdkVersion), wanted)
      : null;
  const found = best === null ? undefined : packument.versions[best];
  if (found) return found;
  throw new PackageRefused(
    "kernel/version-not-found",
    `The registry has no version ${wanted ?? ""} of "${packument.name}".`,
    { details: { versions: Object.keys(packument.versions) } },
  );
}

/**
 * What `latest` says, if that fits this SDK; otherwise the highest version before it that does, and is neither a
 * pre-release nor advised against. Where none fits, what `latest` says, so that the refusal gives the reason.
 */
export function newest(packument: Packument, sdkVersion: string): string | undefined {
  const all = semver.rsort(Object.keys(packument.versions).filter((version) => semver.valid(version) !== null));
  const recommended = packument["dist-tags"]["latest"] ?? all[0];
  const latest = recommended === undefined ? undefined : packument.versions[recommended];
  if (!latest || fits(latest, sdkVersion)) return recommended;
  const before = semver
    .rsort(fitting(packument, sdkVersion))
    .filter((version) => semver.lt(version, latest.version) && semver.prerelease(version) === null);
  return before.find((version) => !packument.versions[version]?.deprecated) ?? before[0] ?? recommended;
}

/** The newest version that is written for this SDK and is no pre-release; undefined when there is none. */
export function newestCompatible(packument: Packument, sdkVersion: string): string | undefined {
  return semver.rsort(fitting(packument, sdkVersion)).find((version) => semver.prerelease(version) === null);
}

const fitting = ({ versions }: Packument, sdkVersion: string) =>
  Object.values(versions)
    .filter((published) => semver.valid(published.version) !== null && fits(published, sdkVersion))
    .map(({ version }) => version);
