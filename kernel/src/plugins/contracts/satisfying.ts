import semver from "semver";

/**
 * Whether a version of a contract or an extension point fits a range; pre-releases count as the version that they lead
 * to.
 */
export function satisfies(version: string, range: string): boolean {
  return semver.satisfies(version, range, { includePrerelease: true });
}
