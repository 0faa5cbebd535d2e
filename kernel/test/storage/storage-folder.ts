import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Logger } from "@longbox/sdk";
import { MemoryStoring, SqliteStoring, type Storing } from "../../dist/storage/index.js";

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

export const drivers = {
  sqlite: (folder: string, log: Logger): Storing => new SqliteStoring({ folder, log }),
  memory: (folder: string, log: Logger): Storing => new MemoryStoring({ folder, log }),
};

/** An open store on a folder of its own. */
export async function openStoring(
  driver: keyof typeof drivers,
): Promise<
  AsyncDisposable & { storing: Storing; folder: string; log: ReturnType<typeof keepingLog>; reopen(): Promise<Storing> }
> {
  const folder = await temporaryFolder();
  const log = keepingLog();
  const opened = {
    folder: folder.path,
    log,
    storing: drivers[driver](folder.path, log),
    async reopen() {
      await opened.storing.release();
      return (opened.storing = drivers[driver](folder.path, log));
    },
    async [Symbol.asyncDispose]() {
      await opened.storing.release();
      await folder[Symbol.asyncDispose]();
    },
  };
  return opened;
}
