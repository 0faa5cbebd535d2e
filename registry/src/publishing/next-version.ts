import semver from "semver";

/**
 * Chooses the version under which content is published, from the versions in the registry (version to content hash).
 *
 * A new version is used as it is. A version that exists with different content, as in a checkout that was
 * changed and rebuilt, becomes `1.0.1-local.1`, `-local.2` and so on: above what it replaces, below the next release.
 */
export function nextVersion(
  version: string,
  content: string,
  held: ReadonlyMap<string, string | undefined>,
): { version: string; isNew: boolean } {
  const locals = [...held.keys()].filter((candidate) => isLocalOf(candidate, version)).sort(semver.compare);
  const newest = locals.at(-1) ?? (held.has(version) ? version : undefined);
  if (newest === undefined) return { version, isNew: true };
  if (held.get(newest) === content) return { version: newest, isNew: false };
  const last = locals.length === 0 ? 0 : Number(semver.prerelease(newest)?.[1]);
  return { version: `${nextPatch(version)}-local.${last + 1}`, isNew: true };
}

function isLocalOf(candidate: string, version: string): boolean {
  return candidate.startsWith(`${nextPatch(version)}-local.`);
}

function nextPatch(version: string): string {
  const parsed = semver.parse(version);
  if (!parsed) throw new Error(`"${version}" is not a version.`);
  // 2.0.0-beta.1 is followed by 2.0.0, 1.0.0 by 1.0.1: semver's own rule.
  return parsed.inc("patch").version;
}
