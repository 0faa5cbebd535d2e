import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { readFile, rm } from "node:fs/promises";
import path from "node:path";

const causeFields = ["requester", "network", "method", "input", "route"] as const;

export interface BlockedNote {
  readonly plugin: string;
  readonly reason: string;
  /** The request in which it happened; missing where the plugin did it by itself, or nothing is known. */
  readonly cause?: Readonly<Record<(typeof causeFields)[number], string>> | undefined;
}

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
    return noteOf(JSON.parse(readFileSync(fileOf(dataFolder), "utf8")))?.plugin;
  } catch {
    // Half a note, from a process that was killed while writing, names no plugin.
    return undefined;
  }
}

/** The cause in a text that came from the process that died, or its memory. */
export function readCause(text: string | undefined): BlockedNote["cause"] {
  try {
    return causeOf(JSON.parse(text ?? ""));
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
    return noteOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

// By hand, because the supervisor stays in memory for years and a schema library would be a third of it.
function noteOf(value: unknown): BlockedNote | undefined {
  if (!hasTexts(value, ["plugin", "reason"])) return undefined;
  const { plugin, reason, cause } = value as BlockedNote & { cause?: unknown };
  if (cause === undefined) return { plugin, reason };
  const known = causeOf(cause);
  return known && { plugin, reason, cause: known };
}

function causeOf(value: unknown): BlockedNote["cause"] {
  return hasTexts(value, causeFields) ? value : undefined;
}

function hasTexts<Name extends string>(value: unknown, names: readonly Name[]): value is Record<Name, string> {
  if (typeof value !== "object" || value === null) return false;
  return names.every((name) => typeof (value as Partial<Record<Name, unknown>>)[name] === "string");
}
