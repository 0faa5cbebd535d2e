import { readFile, rm } from "node:fs/promises";
import path from "node:path";
import { unlessMissing } from "@longbox/sdk";
import { z } from "zod";
import { syncPath, writeDurably } from "../storage/index.js";

const keptHistorySchema = z.object({
  id: z.string().regex(/^[0-9a-f]{8}$/),
  position: z.number().int().min(0),
  forgotten: z.number().int().min(0),
  changes: z.array(
    z.object({ position: z.number().int().min(1), domain: z.string(), userIds: z.array(z.number().int()).optional() }),
  ),
});
/** The changes of the runs before. */
export type KeptHistory = z.output<typeof keptHistorySchema>;

/** A restored backup replaces this folder, and with it the changes that lead to other data. */
const fileIn = (dataFolder: string) => path.join(dataFolder, "plugins", "events.json");

/** Written at the orderly end of a run, after which nothing can change. */
export async function keepHistory(dataFolder: string, history: KeptHistory): Promise<void> {
  await writeDurably(fileIn(dataFolder), JSON.stringify(history));
}

/**
 * What the run before has kept. It is removed at once, since from now on it would be incomplete: when this run ends
 * without keeping its own, clients are told that history is gone.
 */
export async function takeHistory(dataFolder: string): Promise<KeptHistory | undefined> {
  const file = fileIn(dataFolder);
  const text = await unlessMissing(readFile(file, "utf8"));
  if (text === undefined) return undefined;
  await rm(file);
  await syncPath(path.dirname(file));
  return parse(text);
}

/** A file that cannot be read is as good as none: clients then fetch everything. */
function parse(text: string): KeptHistory | undefined {
  try {
    return keptHistorySchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
