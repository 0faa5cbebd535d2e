import type { Releasable } from "../releasable.js";
import { contract } from "../token.js";

export type LogLevel = "debug" | "info" | "warn" | "error";

/** One line of the server's log, with secrets removed. */
export interface LogLine {
  /** Increasing; also over `clear`. */
  readonly id: number;
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly level: LogLevel;
  /** `http`, `access` and other parts of the kernel, or a plugin's id. */
  readonly category: string;
  readonly message: string;
  readonly requestId?: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** A filter for log lines. */
export interface LogFilter {
  /** This level and those above it. */
  level?: LogLevel;
  category?: string;
  /** Found in the message or the fields, without regard to case. */
  text?: string;
  /** Only lines after this id. */
  after?: number;
  /** Only lines from this time on, as ISO 8601 in UTC. */
  since?: string;
  /** Only lines before this time, as ISO 8601 in UTC. */
  until?: string;
  limit?: number;
  offset?: number;
}

/** The latest lines of the server's log, of which a limited number is kept in memory. */
export interface KernelLogs {
  /** Newest first. `total` is the number of matching lines before paging. */
  list(filter?: LogFilter): Promise<{ lines: LogLine[]; total: number; categories: string[] }>;
  /** Drops the kept lines. @returns how many there were */
  clear(): Promise<number>;
  /** Calls the listener for every new line. */
  onLine(listener: (line: LogLine) => void): Releasable;
}

/** The server's log. Provided by the kernel itself. */
export const KernelLogs = contract<KernelLogs>("kernel.logs", "1.0.0");
