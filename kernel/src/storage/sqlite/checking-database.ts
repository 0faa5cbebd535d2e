import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** A database file that is not whole. */
export interface FlawedDatabase {
  readonly path: string;
  readonly flaw: string;
}

/**
 * Checks database files that are not open, in a thread: a large one takes seconds.
 * @returns the first that is not whole
 */
export async function findFlawedDatabase(paths: readonly string[]): Promise<FlawedDatabase | undefined> {
  if (paths.length === 0) return undefined;
  const worker = new Worker(new URL("./checking-thread.js", import.meta.url), { name: "database check" });
  const ended = once(worker, "exit").then(() => ["The thread that checked it ended."]);
  // The failure of the thread comes to the question that waits for its answer.
  ended.catch(() => undefined);
  try {
    for (const path of paths) {
      worker.postMessage(path);
      const [flaw] = (await Promise.race([once(worker, "message"), ended])) as [string | undefined];
      if (flaw !== undefined) return { path, flaw };
    }
    return undefined;
  } finally {
    await worker.terminate();
  }
}
