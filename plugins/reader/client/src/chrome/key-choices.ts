import { readStored, writeStored } from "./device-profile.js";
import { usualKeys, type Command, type KeyMap } from "./shortcuts.js";

const storedAs = "longbox.reader.keys";
const commands = Object.keys(usualKeys) as Command[];

/** The keys of the reader on this device. */
export function readKeys(): KeyMap {
  const kept = readStored(storedAs);
  if (typeof kept !== "object" || kept === null) return usualKeys;
  const chosen = kept as Record<string, unknown>;
  return Object.fromEntries(
    commands.map((command) => [command, isKeys(chosen[command]) ? chosen[command] : usualKeys[command]]),
  ) as Record<Command, string[]>;
}

/** Gives a command this key alone, and takes the key from the command that had it. */
export function withKey(keys: KeyMap, command: Command, key: string): KeyMap {
  return Object.fromEntries(
    commands.map((other) => [other, other === command ? [key] : keys[other].filter((one) => one !== key)]),
  ) as Record<Command, string[]>;
}

export function keepKeys(keys: KeyMap): void {
  writeStored(storedAs, keys === usualKeys ? {} : keys);
}

function isKeys(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((key) => typeof key === "string");
}
