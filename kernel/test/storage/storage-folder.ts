import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Logger } from "@longbox/sdk";
import { needsPostgres, startPostgres, type TestPostgres } from "@longbox/test/postgres";
import type { Needs } from "@longbox/test/needs";
import { MemoryStoring, SqliteStoring, type Storing } from "../../dist/storage/index.js";
import { PostgresStoring } from "../../dist/storage/owners/postgres-storing.js";

export interface ReportedLine {
  readonly level: string;
  readonly message: string;
  readonly fields: Record<string, unknown> | undefined;
}

/** A log that keeps what was said, for tests that expect a report. */
export function keepingLog(): Logger & { readonly lines: ReportedLine[] } {
  const lines: ReportedLine[] = [];
  const at = (level: string) => (message: string, fields?: Record<string, unknown>) =>
    void lines.push({ level, message, fields });
  return { lines, debug: at("debug"), info: at("info"), warn: at("warn"), error: at("error") };
}

/** A data folder of its own, removed at the end. */
export async function temporaryFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), "longbox-storage-"));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}

type OpenDriver = (folder: string, log: Logger) => Storing;

export const drivers = {
  sqlite: async (): Promise<OpenDriver> => (folder, log) => new SqliteStoring({ folder, log }),
  memory: async (): Promise<OpenDriver> => (folder, log) => new MemoryStoring({ folder, log }),
  postgres: async (): Promise<OpenDriver> => {
    const { url } = await (server ??= startPostgres());
    return (folder, log) => new PostgresStoring({ folder, log }, url);
  },
};
export type DriverName = keyof typeof drivers;

/** What each driver needs on this machine. */
export const driversWithNeeds: readonly (readonly [DriverName, Needs])[] = [
  ["sqlite", {}],
  ["memory", {}],
  ["postgres", needsPostgres],
];

/** One server for all files of a process, with which it ends; each installation on it has schemas of its own. */
let server: Promise<TestPostgres> | undefined;

/** An open store on a folder of its own. */
export async function openStoring(
  driver: DriverName,
): Promise<
  AsyncDisposable & { storing: Storing; folder: string; log: ReturnType<typeof keepingLog>; reopen(): Promise<Storing> }
> {
  const folder = await temporaryFolder();
  const log = keepingLog();
  const open = await drivers[driver]();
  const opened = {
    folder: folder.path,
    log,
    storing: open(folder.path, log),
    async reopen() {
      await opened.storing.release();
      return (opened.storing = open(folder.path, log));
    },
    async [Symbol.asyncDispose]() {
      await opened.storing.release();
      await folder[Symbol.asyncDispose]();
    },
  };
  return opened;
}
