import semver from "semver";

/** Plans and extension points ask again and again, of few versions and ranges. */
const judged = new Map<string, boolean>();
const mostJudged = 2_000;

/**
 * Whether a version of a contract or an extension point fits a range; pre-releases count as the version that they lead
 * to.
 */
export function satisfies(version: string, range: string): boolean {
  const asked = `${version} ${range}`;
  let fits = judged.get(asked);
  if (fits === undefined) {
    if (judged.size >= mostJudged) judged.clear();
    fits = semver.satisfies(version, range, { includePrerelease: true });
    judged.set(asked, fits);
  }
  return fits;
}
