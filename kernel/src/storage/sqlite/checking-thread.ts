import { readFile, stat } from "node:fs/promises";
import { parentPort } from "node:worker_threads";
import { SqliteEngine } from "./sqlite-engine.js";
import { SqlJsEngine } from "./sqljs-engine.js";
import type { Engine } from "./engine.js";

/**
 * Up to here a copy is checked in memory, by an engine of its own, without touching the file; above, it would take too
 * much of it.
 */
const inMemoryBytes = 64 * 1024 * 1024;

parentPort?.on("message", (path: string) => void flawOf(path).then((flaw) => parentPort?.postMessage(flaw)));

/** What is wrong with a database file; undefined when it is whole. */
async function flawOf(path: string): Promise<string | undefined> {
  let engine: Engine | undefined;
  try {
    const { size } = await stat(path);
    engine =
      size <= inMemoryBytes ? await SqlJsEngine.open(await readFile(path)) : new SqliteEngine(path, { readOnly: true });
    const [first] = engine.run("pragma integrity_check(1)", []).rows as Array<{ integrity_check: string }>;
    return first?.integrity_check === "ok" ? undefined : (first?.integrity_check ?? "it says nothing");
  } catch (fault) {
    return String(fault);
  } finally {
    engine?.close();
  }
}
