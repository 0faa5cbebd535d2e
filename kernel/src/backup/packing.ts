// How a backup is made as a file: a copy of one instant beside it, packed.
import { createWriteStream, existsSync } from "node:fs";
import { copyFile, cp, mkdir, readdir, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { create as createTar } from "tar";
import { syncPath, type Storing } from "../storage/index.js";
import { describeFiles, manifestName, type BackupManifest } from "./backup-manifest.js";

/** Small files beside the storage that a server cannot be put back without, and the packages of its plugins. */
const documents = ["settings.json", "plugins.lock.json"];
const packages = join("plugins", "store");

/** What a copy is made of. */
export interface Original {
  /** The data folder. */
  readonly folder: string;
  readonly storing: Storing;
  /** The server's version, for the manifest. */
  readonly version: string;
}

/** Copies everything that must last, as it is at one instant, into a new folder, with its manifest. */
export async function stage(original: Original, folder: string): Promise<BackupManifest> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const snapshot = await original.storing.snapshot();
  try {
    for (const name of documents) await copyIfThere(join(original.folder, name), join(folder, name));
    await snapshot.copyTo(folder);
    if (existsSync(join(original.folder, packages)))
      await cp(join(original.folder, packages), join(folder, packages), { recursive: true, verbatimSymlinks: true });
  } finally {
    await snapshot.release();
  }
  const manifest: BackupManifest = {
    format: 1,
    version: original.version,
    createdAt: new Date().toISOString(),
    owners: [...snapshot.owners],
    files: await describeFiles(folder),
  };
  await writeFile(join(folder, manifestName), JSON.stringify(manifest, undefined, 2));
  return manifest;
}

/** Packs a staged copy as a file in a folder beside its goal. @returns the path of the file, which is on the disk */
export async function pack(data: string, beside: string): Promise<string> {
  const temporary = join(beside, "packed");
  // The manifest goes first, so that a reader knows what to expect.
  const names = (await readdir(data)).filter((name) => name !== manifestName);
  await pipeline(
    createTar({ cwd: data, portable: true }, [manifestName, ...names]),
    // The gzip of `tar` would compress on this thread.
    createGzip(),
    createWriteStream(temporary, { mode: 0o600, flags: "wx" }),
  );
  await syncPath(temporary);
  return temporary;
}

/** Gives a packed file its name: it is there whole or not at all. */
export async function publish(packed: string, path: string): Promise<void> {
  await rename(packed, path);
  await syncPath(dirname(path));
}

async function copyIfThere(from: string, to: string): Promise<void> {
  await copyFile(from, to).catch((fault: NodeJS.ErrnoException) => {
    if (fault.code !== "ENOENT") throw fault;
  });
}
