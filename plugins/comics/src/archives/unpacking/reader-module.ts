import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { ArchiveExtraction, ArchiveListing, ArchiveReaderModule } from "../../contract/archive-readers.js";
import { UnreadableArchive } from "../unreadable.js";
import { listingOf } from "./listing.js";
import type { ListedArchive, UnpackTask } from "./tasks.js";

const mostEntries = 200_000;
const longestName = 4096;

const sentences = {
  damaged: "The archive is damaged: it cannot be unpacked.",
  encrypted: "The archive is protected by a password.",
  truncated: "The archive is cut off.",
  "too-large": "The archive is too large to be unpacked.",
  unsupported: "The archive is packed in a way that cannot be read here.",
} as const;

const problemSchema = z.object({ code: z.enum(["damaged", "encrypted", "truncated", "too-large", "unsupported"]) });

const listingSchema = z.object({
  solid: z.boolean(),
  entries: z
    .array(z.object({ name: z.string().max(longestName), sizeBytes: z.int().min(0), encrypted: z.boolean() }))
    .max(mostEntries),
});

/** What a reader of another plugin does; what it returns is checked. For threads. @throws {UnreadableArchive} */
export async function performByReader(
  task: Extract<UnpackTask, { kind: "list" | "extract" | "unzip" }>,
): Promise<ListedArchive | Uint8Array | undefined> {
  if (task.kind === "unzip") return unpackByReader(task.reader, task.zip, task.sizeBytes);
  const reader = await load(task.reader);
  if (task.kind === "extract") return extract(reader, task);
  const { entries, solid } = checkListing(await asked(() => reader.list(task.path, mostEntries)));
  return { ...listingOf(entries), solid };
}

/**
 * Unpacks the only entry of a small ZIP. For threads.
 * @param url - of the reader's module
 * @throws {UnreadableArchive}
 */
export async function unpackByReader(url: string, zip: Uint8Array, sizeBytes: number): Promise<Uint8Array> {
  const reader = await load(url);
  const bytes = await asked(async () => reader.unpackZip?.(zip, sizeBytes));
  if (bytes instanceof Uint8Array) return bytes;
  throw new UnreadableArchive("unsupported", sentences.unsupported);
}

async function load(url: string): Promise<ArchiveReaderModule> {
  return (await import(url)) as ArchiveReaderModule;
}

async function extract(reader: ArchiveReaderModule, extraction: ArchiveExtraction): Promise<undefined> {
  const { path, names, folder, mostBytes } = extraction;
  await asked(() => reader.extract({ path, names, folder, mostBytes }));
  let written = 0;
  for (const index of names.keys()) {
    // An entry that was not unpacked, for whatever reason, is damaged.
    const found = await lstat(join(folder, String(index))).catch(() => undefined);
    if (!found?.isFile()) throw new UnreadableArchive("damaged", "The archive is damaged: a page cannot be unpacked.");
    written += found.size;
  }
  if (written > mostBytes)
    throw new UnreadableArchive("lying-size", "The archive contains more than its directory says.");
  return undefined;
}

function checkListing(listing: unknown): ArchiveListing {
  const parsed = listingSchema.safeParse(listing);
  if (parsed.success) return parsed.data;
  throw new UnreadableArchive("damaged", sentences.damaged, { cause: parsed.error });
}

async function asked<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    const code = problemSchema.safeParse(thrown).data?.code ?? "damaged";
    throw new UnreadableArchive(code, sentences[code], { cause: thrown });
  }
}
