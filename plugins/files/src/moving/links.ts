import { lstat, readlink, rename, symlink } from "node:fs/promises";
import { dirname, isAbsolute, join, relative, resolve } from "node:path";
import { unlessMissing } from "@longbox/sdk";
import { PlaceTaken } from "./place-taken.js";
import { TouchedFolders } from "./touched-folders.js";

/** Makes a link with the same target as another; a relative target is adapted to the new place. @throws {PlaceTaken} */
export async function copyLink(from: string, to: string): Promise<void> {
  const target = await readlink(from);
  const led = isAbsolute(target) ? target : relative(dirname(to), resolve(dirname(from), target));
  try {
    await symlink(led, to);
  } catch (thrown) {
    throw (thrown as NodeJS.ErrnoException).code === "EEXIST" ? new PlaceTaken(to) : thrown;
  }
}

/** Whether two links have the same target. */
export async function areSameLink(one: string, other: string): Promise<boolean> {
  const [first, second] = await Promise.all([goalOf(one), goalOf(other)]);
  return first !== undefined && first === second;
}

/** Rewrites links among moved files whose targets have moved as well. */
export async function followGoals(moved: ReadonlyArray<{ readonly from: string; readonly to: string }>): Promise<void> {
  const ways = new Map(moved.map(({ from, to }) => [from, to]));
  const touched = new TouchedFolders();
  for (const { to } of moved) {
    const goal = await goalOf(to);
    const now = goal === undefined ? undefined : ways.get(goal);
    if (now === undefined) continue;
    const wasRelative = !isAbsolute(await readlink(to));
    const fresh = join(dirname(to), `.longbox-${process.pid}-${ways.size}.tmp`);
    await symlink(wasRelative ? relative(dirname(to), now) : now, fresh);
    await rename(fresh, to);
    touched.add(dirname(to));
  }
  await touched.sync();
}

/** The target of a link, even if it does not exist; undefined for anything else. */
async function goalOf(path: string): Promise<string | undefined> {
  const found = await unlessMissing(lstat(path));
  return found?.isSymbolicLink() ? resolve(dirname(path), await readlink(path)) : undefined;
}
