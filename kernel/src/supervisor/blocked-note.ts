import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { z } from "zod";

const causeSchema = z.object({ requester: z.string(), network: z.string(), method: z.string(), input: z.string() });
const noteSchema = z.object({
  plugin: z.string(),
  reason: z.string(),
  /** The request in which it happened; missing where the plugin did it by itself, or nothing is known. */
  cause: causeSchema.optional(),
});
export type BlockedNote = z.output<typeof noteSchema>;

const fileOf = (dataFolder: string) => path.join(dataFolder, "plugins", "blocked.json");

/** Leaves word for the next kernel of which plugin the last one died of. */
export function writeBlockedNote(dataFolder: string, note: BlockedNote): void {
  mkdirSync(path.dirname(fileOf(dataFolder)), { recursive: true });
  writeFileSync(fileOf(dataFolder), JSON.stringify(note), { mode: 0o600 });
}

/** The plugin of the word that was left, which stays where it is. */
export function blamedPlugin(dataFolder: string): string | undefined {
  if (!existsSync(fileOf(dataFolder))) return undefined;
  try {
    return noteSchema.safeParse(JSON.parse(readFileSync(fileOf(dataFolder), "utf8"))).data?.plugin;
  } catch {
    // Half a note, from a process that was killed while writing, names no plugin.
    return undefined;
  }
}

/** The cause in a text that came from the process that died, or its memory. */
export function readCause(text: string | undefined): BlockedNote["cause"] {
  try {
    return causeSchema.safeParse(JSON.parse(text ?? "")).data;
  } catch {
    return undefined;
  }
}

/** Takes the word that was left, if any. */
export async function takeBlockedNote(dataFolder: string): Promise<BlockedNote | undefined> {
  const text = await readFile(fileOf(dataFolder), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  await rm(fileOf(dataFolder), { force: true });
  try {
    return noteSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
