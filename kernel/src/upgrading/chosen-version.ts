// Which version of the server runs on a data folder, when it is not the one that was started.
import { existsSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { syncPath, writeDurably } from "../storage/index.js";

const versionSchema = z.object({
  version: z.string(),
  /** The program, from the data folder on: it may be moved. */
  program: z.string(),
});

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

/** The backup that was made right before a version got the data. */
export const backupBefore = (dataFolder: string, version: string): string =>
  join(versionsFolder(dataFolder), `before-${version}.tar.gz`);

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

/** Name and version of the package of a program in its `dist/bin`. */
export async function packageOf(program: string): Promise<{ readonly name: string; readonly version: string }> {
  const text = await readFile(join(dirname(program), "..", "..", "package.json"), "utf8");
  return z.object({ name: z.string(), version: z.string() }).parse(JSON.parse(text));
}
