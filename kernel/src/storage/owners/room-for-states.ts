import { statfs } from "node:fs/promises";
import { sizeOfTree } from "./data-layout.js";
import type { OwnerFolder } from "./owner-folder.js";

/** The part of the free room of the disk that states before the previous one may take. */
const share = 0.1;

/**
 * Gives up the oldest states that versions left, where they take too much of the room. The previous one always stays.
 * @param limitBytes - What they may take; a tenth of what is free on the disk by default
 */
export async function keepWithinRoom(folder: OwnerFolder, limitBytes?: number): Promise<void> {
  const pointer = await folder.pointer();
  const needed = new Set([pointer.current, pointer.previous, ...(pointer.kept ?? [])]);
  const left = pointer.left ?? [];
  if (left.every(({ state }) => needed.has(state))) return;
  let roomBytes = limitBytes ?? (await freeBytes(folder.root)) * share;
  let isFull = false;
  const staying: typeof left = [];
  for (const each of left) {
    if (!needed.has(each.state)) {
      roomBytes -= await sizeOfTree(folder.generation(each.state));
      isFull ||= roomBytes < 0;
    }
    if (needed.has(each.state) || !isFull) staying.push(each);
  }
  if (staying.length < left.length) await folder.point({ ...pointer, left: staying });
}

async function freeBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}
