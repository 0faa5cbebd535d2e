import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Gzip } from "fflate";
import { create } from "tar";
import { filesBelow, type PublishedManifest } from "./stage.js";

/** Packs a folder the way npm does (`package/…`, gzip), with the same bytes for the same files. */
export async function packTarball(folder: string): Promise<Buffer> {
  const files = await filesBelow(folder);
  const pack = create(
    { cwd: folder, prefix: "package", portable: true, mtime: new Date("1985-10-26T08:15:00Z") },
    files,
  );
  const chunks: Uint8Array[] = [];
  const gzip = new Gzip({ level: 9, mtime: 0 }, (chunk) => chunks.push(chunk));
  for await (const chunk of pack as AsyncIterable<Buffer>) gzip.push(chunk);
  gzip.push(new Uint8Array(0), true);
  return Buffer.concat(chunks);
}

/** The hash of a package's content without its version: packages with the same hash differ only in name and version. */
export async function contentHash(folder: string, manifest: PublishedManifest): Promise<string> {
  const hash = createHash("sha256");
  const { version: _, ...rest } = manifest;
  hash.update(JSON.stringify(rest));
  for (const file of await filesBelow(folder)) {
    if (file === "package.json") continue;
    hash.update(`\0${file}\0`).update(await readFile(join(folder, file)));
  }
  return `sha256-${hash.digest("base64")}`;
}
