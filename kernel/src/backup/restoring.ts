import { randomUUID } from "node:crypto";
import { mkdir, readdir, readFile, rename, rm, rmdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { BadInput, Conflict } from "@longbox/sdk";
import { extract } from "tar";
import { checkDatabaseFile, syncPath, syncTree } from "../storage/index.js";
import { backupManifestSchema, describeFiles, manifestName, type BackupManifest } from "./backup-manifest.js";

/**
 * Puts a backup back as a data folder, in one step: the folder is there whole, and checked, or not at all.
 * @param folder - Must not exist, or be empty: a server's data is never written over.
 * @throws {LongboxError} `kernel/restore-target-not-empty`, `kernel/backup-damaged`, naming what is wrong
 */
export async function restoreBackup(archive: string, folder: string): Promise<BackupManifest> {
  const target = resolve(folder);
  await refuseUnlessEmpty(target);
  const staging = join(dirname(target), `.${basename(target)}.restoring-${randomUUID()}`);
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
    await rm(staging, { recursive: true, force: true });
  }
}

async function refuseUnlessEmpty(target: string): Promise<void> {
  const there = await readdir(target).catch((fault: NodeJS.ErrnoException) => {
    if (fault.code === "ENOENT") return [];
    throw fault;
  });
  if (there.length > 0) throw new Conflict("kernel/restore-target-not-empty", `${target} is not empty. Restore into a new folder, then start the server on that.`);
}

/** Takes plain files and folders only; whatever else an archive may hold never comes from us. */
async function unpack(archive: string, folder: string): Promise<void> {
  try {
    await extract({ file: archive, cwd: folder, strict: true, preserveOwner: false, filter: (path, entry) => refuseOddEntry(path, "type" in entry ? entry.type : "File") });
  } catch (fault) {
    throw (fault as NodeJS.ErrnoException).code === "ENOENT" && (fault as NodeJS.ErrnoException).path === archive ? new BadInput("kernel/no-such-backup", `There is no file ${archive}.`) : damaged(`It cannot be unpacked: ${String(fault)}`, fault);
  }
}

function refuseOddEntry(path: string, type: string): boolean {
  const plain = type === "File" || type === "OldFile" || type === "ContiguousFile" || type === "Directory";
  if (plain && !path.split("/").includes("..") && !path.startsWith("/")) return true;
  throw new Error(`the entry ${path} is a ${type}`);
}

async function verify(folder: string): Promise<BackupManifest> {
  const manifest = await readManifest(folder);
  const found = new Map((await describeFiles(folder)).filter((file) => file.path !== manifestName).map((file) => [file.path, file]));
  for (const file of manifest.files) {
    const there = found.get(file.path);
    if (!there) throw damaged(`${file.path} is missing.`);
    if (there.sha256 !== file.sha256 || there.sizeBytes !== file.sizeBytes) throw damaged(`${file.path} is not what it was.`);
    found.delete(file.path);
  }
  if (found.size > 0) throw damaged(`${[...found.keys()].join(", ")} does not belong to it.`);
  for (const { path } of manifest.files) {
    const flaw = path.endsWith("/database.sqlite") ? await checkDatabaseFile(join(folder, path)) : undefined;
    if (flaw) throw damaged(`The database ${path} is damaged: ${flaw}`);
  }
  return manifest;
}

async function readManifest(folder: string): Promise<BackupManifest> {
  try {
    return backupManifestSchema.parse(JSON.parse(await readFile(join(folder, manifestName), "utf8")));
  } catch (fault) {
    throw damaged(`It holds no ${manifestName} that this version can read.`, fault);
  }
}

function damaged(what: string, cause?: unknown): BadInput {
  return Object.assign(new BadInput("kernel/backup-damaged", `Nothing was restored. This is no whole backup. ${what}`), { cause });
}
