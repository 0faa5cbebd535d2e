import { constants, type Stats } from "node:fs";
import { lstat, open, readlink, realpath, type FileHandle } from "node:fs/promises";
import { isWithin, systemViewer } from "@longbox/sdk";
import type { CollectionContract } from "@longbox/collection/contract";
import type { OpenedFile } from "../contract.js";

/** Links have been resolved before; pipes and devices are not waited for. */
const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Gone, or turned into a link, a socket or a circle of links between two steps; or the name is longer than any. */
const nothingThere: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR", "ELOOP", "ENXIO", "ENAMETOOLONG"]);

/**
 * The only way to open files of libraries: the opened file lies in its library, even if the path was replaced since the
 * scan.
 */
export class OpeningFiles {
  constructor(private readonly collection: Pick<CollectionContract, "listLibraries">) {}

  async open(path: string): Promise<OpenedFile | undefined> {
    const roots = (await this.collection.listLibraries(systemViewer)).map(({ rootFolder }) => rootFolder);
    const root = roots.find((folder) => path.startsWith(`${folder}/`)) ?? (await rootByRealPath(roots, path));
    return root === undefined ? undefined : openWithin(root, path);
  }
}

/** A library's folder may be a link, and the path what it leads to. */
async function rootByRealPath(roots: readonly string[], path: string): Promise<string | undefined> {
  for (const root of roots) {
    const real = await realpath(root).catch(() => undefined);
    if (real !== undefined && path.startsWith(`${real}/`)) return root;
  }
  return undefined;
}

/** @throws what the file system says, unless it says that nothing is there */
export async function openWithin(rootFolder: string, path: string): Promise<OpenedFile | undefined> {
  try {
    const [root, real] = await Promise.all([realpath(rootFolder), realpath(path)]);
    if (!isWithin(root, real) || !isOpenable(await lstat(real))) return undefined;
    return await openReal(root, real);
  } catch (thrown) {
    const { code } = thrown as NodeJS.ErrnoException;
    if (code !== undefined && nothingThere.has(code)) return undefined;
    throw thrown;
  }
}

async function openReal(root: string, real: string): Promise<OpenedFile | undefined> {
  const handle = await open(real, flags);
  try {
    const stats = await handle.stat();
    if (!isOpenable(stats) || !isWithin(root, await pathOf(handle, real, stats))) {
      await handle.close();
      return undefined;
    }
    return {
      kind: stats.isFile() ? "file" : "folder",
      path: real,
      handle,
      sizeBytes: stats.size,
      modifiedAt: stats.mtime,
      validator: [stats.size, Math.round(stats.mtimeMs * 1000), stats.ino].map((one) => one.toString(36)).join("-"),
      close: () => handle.close(),
    };
  } catch (thrown) {
    await handle.close();
    throw thrown;
  }
}

/** Where the open file lies, also when a folder on the way to it was replaced by a link before it was opened. */
async function pathOf(handle: FileHandle, real: string, stats: Stats): Promise<string> {
  if (process.platform === "linux") return readlink(`/proc/self/fd/${handle.fd}`);
  const now = await realpath(real);
  const found = await lstat(now);
  return found.ino === stats.ino && found.dev === stats.dev ? now : "";
}

function isOpenable(stats: Stats): boolean {
  return stats.isFile() || stats.isDirectory();
}
