import type { Logger, LogLevel, LogLine } from "@longbox/sdk";
import { destination, pino, type DestinationStream, type Logger as PinoLogger } from "pino";
import { levels, LogRing } from "./log-ring.js";
import { redactFields, redactText } from "./redacting.js";
import { withoutRequestSecrets } from "./request-secrets.js";
import type { Logs } from "./logs.js";

export interface ServerLogOptions {
  /** Lines below are dropped. Default `info`. */
  level?: LogLevel | "silent";
  /** Where lines go; default standard error. */
  to?: DestinationStream;
}

/** The server's log: structured lines to standard error by pino, and the latest of them kept for reading. */
export class ServerLog implements Logs {
  readonly ring = new LogRing();
  readonly #pino: PinoLogger;
  readonly #lowest: number;
  #lastId = 0;
  #clean: (value: unknown) => unknown = (value) => value;

  constructor(options: ServerLogOptions = {}) {
    const level = options.level ?? "info";
    this.#lowest = level === "silent" ? Infinity : levels.indexOf(level);
    const to = options.to ?? destination({ fd: 2, sync: true });
    this.#pino = pino(
      {
        level: level === "silent" ? "silent" : level,
        base: null,
        timestamp: pino.stdTimeFunctions.isoTime,
        formatters: { level: (label) => ({ level: label }) },
      },
      to,
    );
  }

  /** Has every line cleaned of what only others know to be secret, such as the values of settings. */
  cleanBy(clean: (value: unknown) => unknown): void {
    this.#clean = clean;
  }

  /** A logger whose lines name where they come from: a part of the kernel, or a plugin's id. */
  logger(category: string): Logger {
    const child = this.#pino.child({ category });
    const write =
      (level: LogLevel) =>
      (message: string, fields: Record<string, unknown> = {}) =>
        this.#write(child, { category, level, message }, fields);
    return { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
  }

  /** Redacted once, before either of the two places sees it. A debug line is kept only when it is written. */
  #write(
    child: PinoLogger,
    { category, level, message }: Pick<LogLine, "category" | "level" | "message">,
    given: Record<string, unknown>,
  ): void {
    if (level === "debug" && this.#lowest > 0) return;
    const clean = (value: unknown) => withoutRequestSecrets(this.#clean(value));
    const { requestId, ...fields } = clean(redactFields(given)) as Record<string, unknown>;
    const safe = String(clean(redactText(String(message))));
    const line: LogLine = {
      id: ++this.#lastId,
      at: new Date().toISOString(),
      level,
      category,
      message: safe,
      ...(typeof requestId === "string" && { requestId }),
      fields,
    };
    if (levels.indexOf(level) >= this.#lowest)
      child[level]({ ...(requestId !== undefined && { requestId }), ...fields }, safe);
    this.ring.add(line);
  }
}
