import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, it } from "vitest";

/** Loads a module in a thread, and tells what that made Node load. */
const loading = `
  import { registerHooks } from "node:module";
  import { parentPort, workerData } from "node:worker_threads";
  const loaded = [];
  registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
  await import(workerData);
  parentPort.postMessage({ loaded });
`;

/** The module may say something of its own first. */
async function loadedBy(thread: Worker): Promise<string[]> {
  for (;;) {
    const [told] = (await once(thread, "message")) as [{ readonly loaded?: string[] }];
    if (told.loaded !== undefined) return told.loaded;
  }
}

// zod and Kysely take a third of a second and 36 MB of each thread that loads them, and every server starts some.
it.each([
  "storage/sqlite/reader-thread.js",
  "storage/sqlite/checking-thread.js",
  "parsing/json-thread.js",
  "plugins/packages/unpacking-thread.js",
])("the thread %s loads neither zod nor Kysely", async (module) => {
  const thread = new Worker(new URL(`data:text/javascript,${encodeURIComponent(loading)}`), {
    workerData: new URL(`../../dist/${module}`, import.meta.url).href,
  });
  try {
    const loaded = await loadedBy(thread);
    expect(loaded.some((url) => url.endsWith(module))).toBe(true);
    expect(loaded.filter((url) => /\/node_modules\/(zod|kysely)\//.test(url))).toEqual([]);
  } finally {
    await thread.terminate();
  }
});
