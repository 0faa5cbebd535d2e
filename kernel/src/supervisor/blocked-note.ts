import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import path from "node:path";

export interface BlockedNote {
  readonly plugin: string;
  readonly reason: string;
}

const fileOf = (dataFolder: string) => path.join(dataFolder, "plugins", "blocked.json");

/** Leaves word for the next kernel of which plugin the last one died of. */
export function writeBlockedNote(dataFolder: string, note: BlockedNote): void {
  mkdirSync(path.dirname(fileOf(dataFolder)), { recursive: true });
  writeFileSync(fileOf(dataFolder), JSON.stringify(note), { mode: 0o600 });
}

export function hasBlockedNote(dataFolder: string): boolean {
  return existsSync(fileOf(dataFolder));
}

/** Takes the word that was left, if any. */
export async function takeBlockedNote(dataFolder: string): Promise<BlockedNote | undefined> {
  const text = await readFile(fileOf(dataFolder), "utf8").catch(() => undefined);
  if (text === undefined) return undefined;
  await rm(fileOf(dataFolder), { force: true });
  try {
    const { plugin, reason } = JSON.parse(text) as Partial<BlockedNote>;
    return typeof plugin === "string" && typeof reason === "string" ? { plugin, reason } : undefined;
  } catch {
    return undefined;
  }
}
