import { statfs } from "node:fs/promises";

/**
 * What Linux calls the file systems that never wait for another machine: ext, XFS, Btrfs, Bcachefs, F2FS, ZFS, overlays
 * and memory.
 */
const localTypes = new Set([
  0xef53, 0x58465342, 0x9123683e, 0xca451a4e, 0xf2f52010, 0x2fc12fc1, 0x794c7630, 0x01021994,
]);

/** Whether a file is on a disk of this machine; false where that is not certain. */
export async function isOnLocalDisk(path: string): Promise<boolean> {
  if (process.platform !== "linux") return false;
  return await statfs(path).then(
    ({ type }) => localTypes.has(type >>> 0),
    () => false,
  );
}
