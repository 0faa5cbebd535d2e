// `npm run release:tags`: makes the tags of the present versions that this clone lacks, `@longbox/sdk@1.0.0` and so on.
// lerna counts changes from them. They follow from the history, so a release does not depend on whether tags were
// pushed: the tag of a package is at the last commit of a release in which its change log was written.
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

const run = promisify(execFile);
const git = async (...parameters: string[]) => (await run("git", parameters, { maxBuffer: 1 << 26 })).stdout.trim();
const ofRelease = "^chore: (release|change logs of) ?";

interface Manifest {
  readonly name: string;
  readonly version: string;
}

const existing = new Set((await git("tag", "--list")).split("\n"));
for (const log of (await git("ls-files", "*CHANGELOG.md")).split("\n").filter(Boolean)) {
  const file = log.replace(/CHANGELOG\.md$/, "package.json");
  const { name, version } = JSON.parse(await readFile(file, "utf8")) as Manifest;
  const tag = `${name}@${version}`;
  if (existing.has(tag)) continue;
  const commit = await git("log", "-1", "--format=%H", "--extended-regexp", `--grep=${ofRelease}`, "--", log);
  // It was not released yet, or its version was raised by hand.
  if (commit === "" || (await versionAt(commit, file)) !== version) continue;
  await git("tag", "--annotate", "--message", tag, tag, commit);
  process.stdout.write(`${tag} is ${commit.slice(0, 10)}\n`);
}

async function versionAt(commit: string, file: string): Promise<string> {
  return (JSON.parse(await git("show", `${commit}:${file}`)) as Manifest).version;
}
