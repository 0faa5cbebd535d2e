// Which version of the server runs on a data folder, when it is not the one that was started.
import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { gt } from "semver";
import { z } from "zod";
import { syncPath, writeDurably } from "../storage/index.js";

export const versionSchema = z.object({
  /** The package: `longbox`, or the kernel's alone. */
  name: z.string(),
  version: z.string(),
  /** The version of the kernel in it. */
  kernel: z.string(),
  /** The program, from the data folder on: it may be moved. */
  program: z.string(),
});

/** A package with a program, and the kernel that it runs. */
export type PackageVersion = Omit<z.output<typeof versionSchema>, "program">;

const chosenSchema = versionSchema.extend({
  /**
   * `ready`: installed, never started. `trying`: it has the data, and has not served yet. `kept`: it has served.
   */
  state: z.enum(["ready", "trying", "kept"]),
  /** The version before, when that is not the one that was started, either. */
  previous: versionSchema.optional(),
});
export type ChosenVersion = z.output<typeof chosenSchema>;

/** Installed versions, the file that names one, and backups from before each. */
export const versionsFolder = (dataFolder: string): string => join(dataFolder, "versions");
const file = (dataFolder: string) => join(versionsFolder(dataFolder), "chosen.json");

/** The folder of a version among the versions. */
export const folderOf = ({ name, version }: PackageVersion): string => `${basename(name)}-${version}`;
export const backupOf = (version: PackageVersion): string => `before-${folderOf(version)}.tar.gz`;

/** The backup that was made right before a version got the data. */
export const backupBefore = (dataFolder: string, version: PackageVersion): string =>
  join(versionsFolder(dataFolder), backupOf(version));

export async function findChosen(dataFolder: string): Promise<ChosenVersion | undefined> {
  if (!existsSync(file(dataFolder))) return undefined;
  return chosenSchema.parse(JSON.parse(await readFile(file(dataFolder), "utf8")));
}

/** @param chosen - undefined: the version that is started runs */
export async function choose(dataFolder: string, chosen: ChosenVersion | undefined): Promise<void> {
  if (chosen !== undefined) return writeDurably(file(dataFolder), `${JSON.stringify(chosen, undefined, 2)}\n`);
  await rm(file(dataFolder), { force: true });
  await syncPath(versionsFolder(dataFolder));
}

/** The version before the chosen one takes its place, without the data. */
export async function choosePrevious(dataFolder: string, { previous }: ChosenVersion): Promise<void> {
  await choose(dataFolder, previous && { ...previous, state: "kept" });
}

const manifestSchema = z.object({ name: z.string(), version: z.string() });

/** The package of a program in its `dist/bin`. */
export async function packageOf(program: string): Promise<PackageVersion> {
  const kernel = createRequire(program).resolve("@longbox/kernel/package.json");
  const { name, version } = await readManifest(join(dirname(program), "..", "..", "package.json"));
  return { name, version, kernel: (await readManifest(kernel)).version };
}

const readManifest = async (path: string) => manifestSchema.parse(JSON.parse(await readFile(path, "utf8")));

/** Each package counts its own versions, so those of different packages are compared by the kernels in them. */
export function isNewer(one: PackageVersion, other: PackageVersion): boolean {
  return one.name === other.name ? gt(one.version, other.version) : gt(one.kernel, other.kernel);
}
