import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Conflict, releasable, type Releasable } from "@longbox/sdk";
import { SqliteEngine } from "./sqlite/sqlite-engine.js";
import { translateStorageFault } from "./storage-fault.js";

/**
 * Takes the data folder for this process. The lock is one of the operating system's (through SQLite), so it goes with
 * the process that held it, however that died.
 * @throws {LongboxError} `kernel/data-folder-in-use`, naming the process that has it, or `kernel/storage-not-writable`
 */
export function lockDataFolder(folder: string): Releasable {
  const path = join(folder, "lock.sqlite");
  const holder = join(folder, "lock.pid");
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const lock = takeLock(path, () => readHolder(holder), folder);
    writeFileSync(holder, String(process.pid), { mode: 0o600 });
    return releasable(() => lock.close());
  } catch (fault) {
    throw translateStorageFault(fault, folder);
  }
}

function takeLock(path: string, holder: () => string, folder: string): SqliteEngine {
  let lock: SqliteEngine | undefined;
  try {
    lock = new SqliteEngine(path, { journal: "delete", timeoutMs: 0 });
    lock.run("pragma locking_mode = exclusive", []);
    lock.run("begin exclusive", []);
    return lock;
  } catch (fault) {
    lock?.close();
    const busy = 5;
    if (((fault as { errcode?: number }).errcode ?? 0) % 256 !== busy) throw fault;
    throw new Conflict(
      "kernel/data-folder-in-use",
      `The data folder ${folder} is in use by another Longbox (process ${holder()}). Stop it first, or choose another folder with LONGBOX_DATA.`,
      undefined,
      { cause: fault },
    );
  }
}

function readHolder(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "unknown";
  }
}
