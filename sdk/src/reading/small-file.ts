import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from "node:fs";
import { dirname, sep } from "node:path";

/**
 * Reads a small regular file at once; undefined when it is not there, is no regular file, or holds more. A link may
 * lead to files in its own folder and below. Pipes and devices are not waited for. For worker threads.
 */
export function readSmallFile(path: string, mostBytes: number): Buffer | undefined {
  let descriptor: number | undefined;
  try {
    const real = realpathSync.native(path);
    if (!real.startsWith(realpathSync.native(dirname(path)) + sep)) return undefined;
    descriptor = openSync(real, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stat = fstatSync(descriptor);
    if (!stat.isFile() || stat.size > mostBytes) return undefined;
    const bytes = Buffer.alloc(stat.size);
    return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, 0));
  } catch {
    return undefined;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}
