import type { Releasable } from "../releasable.js";
import { contract } from "../token.js";

export type LogLevel = "debug" | "info" | "warn" | "error";

/** One line of the server's log. Secrets have been taken out before it was kept. */
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

/** Which lines are wanted. */
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

/** The latest lines of the server's log, kept in memory within a bound. */
export interface KernelLogs {
  /** The newest first. `total` counts what fits the filter before paging. */
  list(filter?: LogFilter): Promise<{ lines: LogLine[]; total: number; categories: string[] }>;
  /** Drops the kept lines. @returns how many there were */
  clear(): Promise<number>;
  /** Hears every new line. */
  onLine(listener: (line: LogLine) => void): Releasable;
}

/** The server's log, provided by the kernel itself. */
export const KernelLogs = contract<KernelLogs>("kernel.logs", "1.0.0");
