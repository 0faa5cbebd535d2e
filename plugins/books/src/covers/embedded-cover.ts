import { promisify } from "node:util";
import { inflateRaw } from "node:zlib";
import type { OpenedFile } from "@longbox/files/contract";
import type { TaskThread } from "@longbox/sdk";
import { inflateOptions } from "@longbox/sdk/light";
import type { CoverPlace } from "../details.js";
import type { CoverTasks } from "./cover-tasks.js";

const inflate = promisify(inflateRaw);
const localHeaderBytes = 30;

/** What is read of an open file. */
type Read = Pick<OpenedFile, "handle" | "sizeBytes">;

/** The bytes of a cover where the scan found it. A file that was changed since has none. */
export async function readEmbedded(
  opened: Read,
  { place, isPacked }: { readonly place: CoverPlace; readonly isPacked: boolean },
  thread: TaskThread<CoverTasks>,
): Promise<Uint8Array | undefined> {
  if (place.kind === "bytes") return readAt(opened, place.offset, place.length);
  if (place.kind === "entry") return readEntry(opened, place);
  const { handle, sizeBytes } = opened;
  return thread.run("binary", { descriptor: handle.fd, sizeBytes, id: place.id, isPacked });
}

async function readEntry(opened: Read, place: Extract<CoverPlace, { kind: "entry" }>): Promise<Uint8Array | undefined> {
  const header = await readAt(opened, place.offset, localHeaderBytes);
  if (header?.readUInt32LE(0) !== 0x04034b50) return undefined;
  const offset = place.offset + localHeaderBytes + header.readUInt16LE(26) + header.readUInt16LE(28);
  const packed = await readAt(opened, offset, place.packedBytes);
  if (!packed || !place.isDeflated) return packed;
  try {
    return await inflate(packed, inflateOptions(place.sizeBytes));
  } catch {
    // A damaged image is none; the book may be whole otherwise.
    return undefined;
  }
}

/** Undefined when the file ends before. */
async function readAt({ handle }: Read, offset: number, length: number): Promise<Buffer | undefined> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, offset);
  return bytesRead === length ? buffer : undefined;
}
