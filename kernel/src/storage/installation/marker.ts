import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { LongboxError } from "@longbox/sdk";
import { z } from "zod";
import { makeFolder, sweepUnfinished, writeDurably } from "../documents/durable-file.js";

const markerSchema = z.object({
  format: z.literal(1),
  /** Of this installation; every database of it carries the same. */
  id: z.uuid(),
  createdAt: z.iso.datetime(),
  /** In how many of its openings something was written to each database, by its folder inside of the data folder. */
  databases: z.record(z.string(), z.number().int().nonnegative()),
});
/** Changes as databases are opened. */
export type Marker = z.output<typeof markerSchema>;

/** The name of the file beside the data. */
export const markerName = "installation.json";

export function newMarker(id: string = randomUUID()): Marker {
  return { format: 1, id, createdAt: new Date().toISOString(), databases: {} };
}

/**
 * What the data folder says about itself; undefined where nothing is written.
 * @throws {LongboxError} `kernel/installation-unreadable`
 */
export async function readMarker(folder: string): Promise<Marker | undefined> {
  const path = join(folder, markerName);
  await sweepUnfinished(path, `${path}.bak`);
  if (!existsSync(path)) return undefined;
  try {
    return markerSchema.parse(JSON.parse(await readFile(path, "utf8")));
  } catch (cause) {
    throw new LongboxError(
      "internal",
      "kernel/installation-unreadable",
      `${path} cannot be read. Put it back from a copy of the data folder, or run "longbox accept" to take the data as they are.`,
      undefined,
      { cause },
    );
  }
}

export async function writeMarker(folder: string, marker: Marker): Promise<void> {
  await makeFolder(folder);
  await writeDurably(join(folder, markerName), `${JSON.stringify(marker, undefined, 2)}\n`);
}
