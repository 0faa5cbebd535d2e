import { readFile } from "node:fs/promises";

const pageBytes = 4096;
const deepest = 4;

/** The memory of a process and of those that it started, in bytes; undefined where the system does not tell. */
export async function memoryOf(pid: number, depth = 0): Promise<number | undefined> {
  try {
    const pages = Number((await readFile(`/proc/${pid}/statm`, "latin1")).split(" ")[1]);
    const children = depth < deepest ? (await readFile(`/proc/${pid}/task/${pid}/children`, "latin1")).trim() : "";
    const others =
      children === "" ? [] : await Promise.all(children.split(" ").map((child) => memoryOf(Number(child), depth + 1)));
    return pages * pageBytes + others.reduce<number>((sum, bytes) => sum + (bytes ?? 0), 0);
  } catch {
    // The process has ended, or this is no Linux.
    return undefined;
  }
}
