import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";

/**
 * Reads a small regular file at once; undefined when it is not there, is no regular file, or holds more. Pipes and
 * devices are not waited for. For worker threads.
 */
export function readSmallFile(path: string, mostBytes: number): Buffer | undefined {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
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
