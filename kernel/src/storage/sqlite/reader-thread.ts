import { readlinkSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { SqliteEngine } from "./sqlite-engine.js";

export interface ReaderQuestion {
  readonly path: string;
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

export type ReaderAnswer =
  | { readonly rows: unknown[] }
  | { readonly fault: { message: string; code?: string; errcode?: number } };

/** The number by which the system knows a thread; undefined where it tells none. */
export interface ReaderThread {
  readonly systemId: number | undefined;
}

/** More files than a server usually has plugins with heavy queries. */
const keptFiles = 8;
const open = new Map<string, SqliteEngine>();

parentPort?.postMessage({ systemId: ownSystemId() } satisfies ReaderThread);
parentPort?.on("message", (message: ReaderQuestion | { forget: string }) => {
  if ("forget" in message) return close(message.forget);
  parentPort?.postMessage(answer(message));
});

function answer({ path, sql, parameters }: ReaderQuestion): ReaderAnswer {
  try {
    return { rows: engineFor(path).run(sql, parameters).rows };
  } catch (fault) {
    const { message, code, errcode } = fault as { message: string; code?: string; errcode?: number };
    return {
      fault: { message, ...(code === undefined ? {} : { code }), ...(errcode === undefined ? {} : { errcode }) },
    };
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
