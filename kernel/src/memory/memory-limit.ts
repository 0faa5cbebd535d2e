import { totalmem } from "node:os";
import type { PluginSettings } from "@longbox/sdk";

const megabyte = 1_000_000;
const least = 128 * megabyte;
const most = 320 * megabyte;

/**
 * The budget when no setting names one: a quarter of what the machine, or the container around this process, has, and
 * never more than leaves a server of 700 MB whole.
 */
export function usualMemoryBytes(): number {
  const constrained = process.constrainedMemory();
  const machine = totalmem();
  const available = constrained > 0 && constrained < machine ? constrained : machine;
  return Math.round(Math.min(most, Math.max(least, available / 4)));
}

/** The budget in bytes that the settings name; 0 there leaves it to the machine. */
export function memoryLimitOf(
  settings: Pick<PluginSettings<{ readonly memoryMegabytes: number }>, "current">,
): () => number {
  const usual = usualMemoryBytes();
  return () => settings.current.memoryMegabytes * megabyte || usual;
}
