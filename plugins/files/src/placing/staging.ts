import { link, lstat, mkdir, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { makeFolders } from "../moving/making-folders.js";
import { copyVerified, NotAFile } from "../moving/verified-copy.js";

/** Error codes of file systems without links, or without links to this file. */
const noLinks = new Set(["EXDEV", "EPERM", "ENOTSUP", "EOPNOTSUPP", "EMLINK", "EACCES"]);

/** Copies a file to a library's disk; the original stays. @param to - Must not exist; its folder is made */
export async function stage(from: string, to: string, mode: "copy" | "link"): Promise<void> {
  await makeFolders(dirname(to));
  await (mode === "copy" ? copyVerified(from, to) : linkOrCopy(from, to));
}

async function linkOrCopy(from: string, to: string): Promise<void> {
  const source = await lstat(from);
  if (source.isDirectory()) {
    await mkdir(to);
    for (const name of await readdir(from)) await linkOrCopy(join(from, name), join(to, name));
    return;
  }
  if (!source.isFile()) throw new NotAFile();
  try {
    await link(from, to);
  } catch (thrown) {
    if (!noLinks.has((thrown as NodeJS.ErrnoException).code ?? "")) throw thrown;
    await copyVerified(from, to);
  }
}
