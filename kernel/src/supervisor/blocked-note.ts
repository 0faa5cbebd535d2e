import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
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

const markOf = (dataFolder: string) => path.join(dataFolder, "plugins", "blocking");

/** Says, from a thread beside, who keeps the kernel's thread at this moment. */
export function writeBlockingMark(dataFolder: string, plugin: string): void {
  mkdirSync(path.dirname(markOf(dataFolder)), { recursive: true });
  writeFileSync(markOf(dataFolder), plugin, { mode: 0o600 });
}

/** The plugin that keeps the kernel's thread, if that is known. */
export function readBlockingMark(dataFolder: string): string | undefined {
  return existsSync(markOf(dataFolder)) ? readFileSync(markOf(dataFolder), "utf8") : undefined;
}

export function clearBlockingMark(dataFolder: string): void {
  rmSync(markOf(dataFolder), { force: true });
}
