import { readFile } from "node:fs/promises";
import path from "node:path";
import semver from "semver";
import { unlessMissing } from "@longbox/sdk";

const mostCharacters = 4_000;
/** A heading of a changelog: `## [1.2.0](…) (2026-01-31)`, or `# 1.2.0`. */
const heading = /^#{1,3} +\[?v?(\d+\.\d+\.\d+[0-9A-Za-z.-]*)\]?/;

/**
 * The sections of a package's CHANGELOG.md from after one version up to another, newest first, as Markdown.
 * @param since - The installed version; without one, only the section of the new version
 */
export async function readChanges(
  folder: string,
  { since, version }: { readonly since: string | undefined; readonly version: string },
): Promise<string | undefined> {
  const text = await unlessMissing(readFile(path.join(folder, "CHANGELOG.md"), "utf8"));
  const wanted: string[] = [];
  let inside = false;
  for (const line of text?.split("\n") ?? []) {
    const found = semver.valid(heading.exec(line)?.[1]);
    if (found !== null)
      inside = since === undefined ? found === version : semver.gt(found, since) && semver.lte(found, version);
    if (inside) wanted.push(line);
  }
  const changes = wanted.join("\n").trim();
  if (changes === "") return undefined;
  return changes.length > mostCharacters ? `${changes.slice(0, mostCharacters)}…` : changes;
}
