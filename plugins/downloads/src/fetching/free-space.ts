import { statfs } from "node:fs/promises";
import type { DownloadSettings } from "../settings.js";

const megabyte = 1024 * 1024;

/** What downloads may still take of the disk that a folder is on, in bytes. */
export async function freeBytes(folder: string, settings: DownloadSettings): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return Math.max(0, bavail * bsize - settings.keepFreeMegabytes * megabyte);
}
