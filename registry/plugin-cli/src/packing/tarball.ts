import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { create } from "tar";
import { filesBelow, type PublishedManifest } from "./stage.js";

/** Packs a folder the way npm does (`package/…`, gzip), with the same bytes for the same files. */
export async function packTarball(folder: string): Promise<Buffer> {
  const files = await filesBelow(folder);
  const pack = create(
    { cwd: folder, prefix: "package", portable: true, mtime: new Date("1985-10-26T08:15:00Z") },
    files,
  );
  // zlib compresses on another thread, so that packages that are packed together use more than one processor.
  const gzip = createGzip({ level: 9 });
  const [tarball] = await Promise.all([buffer(gzip), pipeline(pack as AsyncIterable<Buffer>, gzip)]);
  return tarball;
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
