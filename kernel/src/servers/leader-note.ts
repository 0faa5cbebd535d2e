import { randomUUID } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { unlessMissing } from "@longbox/sdk";
import { z } from "zod";
import { makeFolder } from "../storage/documents/durable-file.js";
import { writeDurably } from "../storage/index.js";

const noteSchema = z.object({
  format: z.literal(1),
  /** Where the other servers reach the leader. */
  url: z.url(),
  /** With it they prove to the leader that they are servers of the same library. */
  secret: z.string().min(32),
});
/** Who the leader is, for the other servers. */
export type LeaderNote = z.output<typeof noteSchema>;

const librarySchema = z.object({ format: z.literal(1), id: z.uuid() });

const noteIn = (folder: string) => join(folder, "leader.json");

export async function writeLeaderNote(folder: string, note: Omit<LeaderNote, "format">): Promise<void> {
  await writeDurably(noteIn(folder), JSON.stringify({ format: 1, ...note }));
}

/** The note of the server that became the leader last; undefined where there is none, or none that can be read. */
export async function findLeaderNote(folder: string): Promise<LeaderNote | undefined> {
  return parse(noteSchema, await readFile(noteIn(folder), "utf8").catch(() => undefined));
}

export async function removeLeaderNote(folder: string): Promise<void> {
  await rm(noteIn(folder), { force: true });
}

const readings = 20;
const betweenReadingsMs = 50;

/**
 * What servers of the same library call it, whatever the path of its folder on each machine. A restored backup keeps
 * it.
 */
export async function libraryId(folder: string): Promise<string> {
  const path = join(folder, "servers.json");
  await makeFolder(folder);
  const text = JSON.stringify({ format: 1, id: randomUUID() });
  await writeFile(path, text, { flag: "wx", mode: 0o600 }).catch((fault: NodeJS.ErrnoException) => {
    if (fault.code !== "EEXIST") throw fault;
  });
  // Another server may have made the file just now, and not have written it yet.
  for (let reading = 0; reading < readings; reading += 1) {
    const library = parse(librarySchema, await unlessMissing(readFile(path, "utf8")));
    if (library) return library.id;
    await pause(betweenReadingsMs);
  }
  // The server that made it was killed before it wrote it.
  await writeDurably(path, text);
  return libraryId(folder);
}

function parse<T>(schema: z.ZodType<T>, text: string | undefined): T | undefined {
  try {
    return text === undefined ? undefined : schema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
