import { readlinkSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { pathToFileURL } from "node:url";
import { parentPort } from "node:worker_threads";
import { SqliteEngine } from "./sqlite-engine.js";

export interface ReaderQuestion {
  readonly path: string;
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

/** The log of a database is to be written to its file. */
export interface CheckpointQuestion {
  readonly path: string;
  readonly isCheckpoint: true;
}

export type ReaderAnswer =
  | { readonly rows: unknown[] }
  | { readonly fault: { message: string; code?: string; errcode?: number } };

/** The number by which the system knows a thread; undefined where it tells none. */
export interface ReaderThread {
  readonly systemId: number | undefined;
}

/** While it is written, others go on writing; what came meanwhile is less each time. */
const checkpointAttempts = 3;
/** More files than a server usually has plugins with heavy queries. */
const keptFiles = 8;
const open = new Map<string, SqliteEngine>();

parentPort?.postMessage({ systemId: ownSystemId() } satisfies ReaderThread);
parentPort?.on("message", (message: ReaderQuestion | CheckpointQuestion | { forget: string }) => {
  if ("forget" in message) return close(message.forget);
  parentPort?.postMessage(answer(message));
});

function answer(question: ReaderQuestion | CheckpointQuestion): ReaderAnswer {
  try {
    if ("isCheckpoint" in question) return checkpoint(question.path);
    return { rows: engineFor(question.path).run(question.sql, question.parameters).rows };
  } catch (fault) {
    const { message, code, errcode } = fault as { message: string; code?: string; errcode?: number };
    return {
      fault: { message, ...(code === undefined ? {} : { code }), ...(errcode === undefined ? {} : { errcode }) },
    };
  }
}

/**
 * By a connection that is open for as long as it takes, so that the file can be moved afterwards. Where there is none,
 * none is made.
 */
function checkpoint(path: string): ReaderAnswer {
  const file = pathToFileURL(path);
  file.search = "mode=rw";
  const database = new DatabaseSync(file);
  try {
    database.exec("pragma synchronous = full");
    const once = database.prepare("pragma wal_checkpoint(passive)");
    for (let attempt = 0; attempt < checkpointAttempts; attempt += 1) {
      const told = once.get() as { busy: number; log: number; checkpointed: number };
      if (told.busy || told.checkpointed === told.log) break;
    }
    return { rows: [] };
  } finally {
    database.close();
  }
}

function ownSystemId(): number | undefined {
  try {
    return Number(/\d+$/.exec(readlinkSync("/proc/thread-self"))?.[0]) || undefined;
  } catch {
    return undefined;
  }
}

function engineFor(path: string): SqliteEngine {
  const engine = open.get(path) ?? new SqliteEngine(path, { readOnly: true });
  open.delete(path);
  open.set(path, engine);
  if (open.size > keptFiles) close(open.keys().next().value as string);
  return engine;
}

function close(path: string): void {
  open.get(path)?.close();
  open.delete(path);
}
