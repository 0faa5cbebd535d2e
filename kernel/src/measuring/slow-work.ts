// Requests and queries that took long are named in the log, with the plugin they belong to.
import type { Logger } from "@longbox/sdk";

/** The same route, or the same statement, is named once in this time, with how often it was slow since. */
const againAfterMs = 60_000;
/** Of routes and statements that were slow lately. */
const mostRemembered = 500;
const longestStatement = 300;

interface Named {
  at: number;
  unnamed: number;
}

/** Tells of slow work. Without a limit it tells of none. */
export class SlowWork {
  readonly #log: Logger;
  readonly #limitMs: number;
  readonly #named = new Map<string, Named>();

  /** @param limitMs - work that takes as long or longer is slow; undefined: none is */
  constructor(log: Logger, limitMs: number | undefined) {
    this.#log = log;
    this.#limitMs = limitMs ?? Infinity;
  }

  /** @param request - its method and path, without secrets, and its id */
  answered(
    plugin: string,
    request: { readonly route: string; readonly path: string; readonly id: string },
    ms: number,
  ): void {
    if (ms < this.#limitMs) return;
    this.#tell(`${plugin} ${request.route}`, (more) =>
      this.#log.warn(`${request.path} took ${Math.round(ms)} ms.`, { plugin, requestId: request.id, ...more }),
    );
  }

  /** @param sql - the statement, without the values of its parameters */
  queried(plugin: string, sql: string, ms: number): void {
    if (ms < this.#limitMs) return;
    const statement = sql.length > longestStatement ? `${sql.slice(0, longestStatement)} …` : sql;
    this.#tell(`${plugin} ${statement}`, (more) =>
      this.#log.warn(`A query of the plugin "${plugin}" took ${Math.round(ms)} ms.`, { plugin, statement, ...more }),
    );
  }

  #tell(key: string, tell: (more: { readonly slowSince?: number }) => void): void {
    const before = this.#named.get(key);
    if (before && Date.now() - before.at < againAfterMs) return void (before.unnamed += 1);
    if (this.#named.size >= mostRemembered) this.#named.clear();
    this.#named.set(key, { at: Date.now(), unnamed: 0 });
    tell(before?.unnamed ? { slowSince: before.unnamed } : {});
  }
}
