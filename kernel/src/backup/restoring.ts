// How a backup is unpacked, checked, and put into its place.
import { createReadStream, existsSync, type Stats } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";
import { Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { BadInput, Conflict, isLongboxError } from "@longbox/sdk";
import { extract, type ReadEntry } from "tar";
import {
  findFlawedDatabase,
  sweepBeside,
  syncPath,
  syncTree,
  temporaryBeside,
  translateStorageFault,
} from "../storage/index.js";
import { backupManifestSchema, describeFiles, manifestName, type BackupManifest } from "./backup-manifest.js";

/**
 * Puts a backup back as a data folder, in one step: the folder is there whole, and checked, or not at all.
 * @param folder - Must not exist, or be empty: a server's data is never written over.
 * @throws {LongboxError} `kernel/restore-target-not-empty`, `kernel/backup-damaged`, naming what is wrong
 */
export async function restoreBackup(archive: string, folder: string): Promise<BackupManifest> {
  const target = resolve(folder);
  await refuseUnlessEmpty(target);
  await sweepBeside(target);
  const staging = temporaryBeside(target);
  await mkdir(staging, { recursive: true, mode: 0o700 });
  try {
    await unpack(archive, staging);
    const manifest = await verify(staging);
    await rm(join(staging, manifestName));
    await syncTree(staging);
    await rmdir(target).catch((fault: NodeJS.ErrnoException) => {
      if (fault.code !== "ENOENT") throw fault;
    });
    await rename(staging, target);
    await syncPath(dirname(target));
    return manifest;
  } finally {
    await rm(staging, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }
}

async function refuseUnlessEmpty(target: string): Promise<void> {
  const there = await readdir(target).catch((fault: NodeJS.ErrnoException) => {
    if (fault.code === "ENOENT") return [];
    throw fault;
  });
  if (there.length > 0)
    throw new Conflict(
      "kernel/restore-target-not-empty",
      `${target} is not empty. Restore into a new folder, then start the server on that.`,
    );
}

/** Takes plain files and folders only; whatever else an archive may hold never comes from us. */
async function unpack(archive: string, folder: string): Promise<void> {
  if (!existsSync(archive)) throw new BadInput("kernel/no-such-backup", `There is no file ${archive}.`);
  const odd: string[] = [];
  const filter = (path: string, entry: Stats | ReadEntry) => isPlain(path, entry) || (odd.push(path), false);
  try {
    // Read through once, to its checksum: an unpacking that fails half-way goes on writing for a while.
    await pipeline(
      createReadStream(archive),
      createGunzip(),
      new Writable({ write: (_chunk, _encoding, done) => done() }),
    );
    await pipeline(
      createReadStream(archive),
      createGunzip(),
      extract({ cwd: folder, strict: true, preserveOwner: false, filter }),
    );
  } catch (fault) {
    const full = translateStorageFault(fault, folder);
    throw isLongboxError(full) ? full : damaged(`It cannot be unpacked: ${String(fault)}`, fault);
  }
  if (odd.length > 0) throw damaged(`${odd.join(", ")} is not a plain file.`);
}

function isPlain(path: string, entry: Stats | ReadEntry): boolean {
  const type = "type" in entry ? entry.type : "Unsupported";
  return ["File", "OldFile", "Directory"].includes(type) && !path.startsWith("/") && !path.split("/").includes("..");
}

async function verify(folder: string): Promise<BackupManifest> {
  const manifest = await readManifest(folder);
  const found = new Map(
    (await describeFiles(folder)).filter((file) => file.path !== manifestName).map((file) => [file.path, file]),
  );
  for (const file of manifest.files) {
    const there = found.get(file.path);
    if (!there) throw damaged(`${file.path} is missing.`);
    if (there.sha256 !== file.sha256 || there.sizeBytes !== file.sizeBytes)
      throw damaged(`${file.path} is not what it was.`);
    found.delete(file.path);
  }
  if (found.size > 0) throw damaged(`${[...found.keys()].join(", ")} does not belong to it.`);
  const databases = manifest.files.filter(({ path }) => path.endsWith("/database.sqlite"));
  const flawed = await findFlawedDatabase(databases.map(({ path }) => join(folder, path)));
  if (flawed) throw damaged(`The database ${relative(folder, flawed.path)} is damaged: ${flawed.flaw}`);
  return manifest;
}

async function readManifest(folder: string): Promise<BackupManifest> {
  try {
    return backupManifestSchema.parse(JSON.parse(await readFile(join(folder, manifestName), "utf8")));
  } catch (fault) {
    throw damaged(`It holds no ${manifestName} that this version can read.`, fault);
  }
}

/** The refusal of a backup, with what is wrong with it. */
export function damaged(what: string, cause?: unknown): BadInput {
  return Object.assign(
    new BadInput("kernel/backup-damaged", `Nothing was restored. This is not a whole backup. ${what}`),
    { cause },
  );
}
