import { createHash } from "node:crypto";
import { open, stat, type FileHandle } from "node:fs/promises";
import { ReleaseUnusable } from "../errors.js";
import type { DirectDownload } from "../contract.js";

/** How many bytes of a file are there already; 0 where there is none. */
export async function lengthOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    () => 0,
  );
}

/** Opens a partial file to go on at a length; what is behind it is cut off. */
export async function openPartial(path: string, length: number): Promise<FileHandle> {
  const file = await open(path, length === 0 ? "w" : "r+");
  try {
    await file.truncate(length);
    return file;
  } catch (fault) {
    await file.close();
    throw fault;
  }
}

/** @throws {ReleaseUnusable} when the whole file is not what was promised */
export async function verify(path: string, { sizeBytes, digest }: DirectDownload): Promise<void> {
  const length = await lengthOf(path);
  if (length === 0) throw new ReleaseUnusable("The file that arrived is empty.");
  if (sizeBytes !== undefined && length !== sizeBytes)
    throw new ReleaseUnusable(`The file that arrived has ${length} bytes in place of ${sizeBytes}.`);
  await refusePages(path);
  if (digest && (await digestOf(path, digest.algorithm)) !== digest.hex.toLowerCase())
    throw new ReleaseUnusable("The file that arrived is damaged: its digest is another one.");
}

/** Servers answer with a page where they should say that a file is gone, or that one has to sign in. */
async function refusePages(path: string): Promise<void> {
  const head = (await headOf(path)).trimStart().toLowerCase();
  if (head.startsWith("<!doctype html") || head.startsWith("<html"))
    throw new ReleaseUnusable("The server sent a web page in place of the file.");
}

/** The first bytes of a file, one character each. */
export async function headOf(path: string): Promise<string> {
  await using file = await open(path, "r");
  const { buffer, bytesRead } = await file.read(Buffer.alloc(512), 0, 512, 0);
  return buffer.toString("latin1", 0, bytesRead);
}

async function digestOf(path: string, algorithm: string): Promise<string> {
  const digest = createHash(algorithm);
  await using file = await open(path, "r");
  for await (const chunk of file.createReadStream({ autoClose: false })) digest.update(chunk as Buffer);
  return digest.digest("hex");
}
