import { createRequire } from "node:module";
import semver from "semver";

const { version: sdkVersion } = createRequire(import.meta.url)("@longbox/sdk/package.json") as { version: string };

/** @returns a number below zero when the first version is the older one */
export function compareVersions(one: string, other: string): number {
  return semver.compare(one, other);
}

/** Whether the SDK of this checkout is in a range of versions, as a server decides it. */
export function fitsSdk(range: string): boolean {
  return semver.satisfies(sdkVersion, range, { includePrerelease: true });
}
