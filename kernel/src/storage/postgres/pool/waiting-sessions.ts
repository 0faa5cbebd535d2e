import { LongboxError } from "@longbox/sdk";
import { ownTimeout } from "../../../own-timers.js";
import type { PooledConnection, Session } from "../session.js";

/** One who waits for a connection. */
interface Waiting {
  readonly session: Session;
  readonly sinceMs: number;
  resolve(connection: PooledConnection | Promise<PooledConnection>): void;
  reject(fault: unknown): void;
}

/** How long others may go first because a connection fits them. */
const patienceMs = 100;

/** Those who wait for a connection, in the order of arrival. */
export class WaitingSessions {
  readonly #waitMs: number;
  readonly #all: Waiting[] = [];

  /** @param waitMs - after which one who waits is refused */
  constructor(waitMs: number) {
    this.#waitMs = waitMs;
  }

  /** @throws {LongboxError} `kernel/database-busy` when none was free within the limit */
  wait(session: Session): Promise<PooledConnection> {
    return new Promise((resolve, reject) => {
      const limit = ownTimeout(() => {
        this.#all.splice(this.#all.indexOf(waiting), 1);
        reject(
          new LongboxError(
            "unavailable",
            "kernel/database-busy",
            `The database was busy for ${this.#waitMs / 1000} seconds. Inside a transaction, use only the transaction.`,
          ),
        );
      }, this.#waitMs);
      limit.unref();
      const settled = () => clearTimeout(limit);
      const waiting: Waiting = {
        session,
        sinceMs: performance.now(),
        resolve: (connection) => (settled(), resolve(connection)),
        reject: (fault) => (settled(), reject(fault)),
      };
      this.#all.push(waiting);
    });
  }

  /** The first one for whom this holds, who waits no longer. */
  take(isFit: (session: Session) => boolean): Waiting | undefined {
    const place = this.#all.findIndex(({ session }) => isFit(session));
    return place < 0 ? undefined : this.#all.splice(place, 1)[0];
  }

  has(isFit: (session: Session) => boolean): boolean {
    return this.#all.some(({ session }) => isFit(session));
  }

  takeAll(): Waiting[] {
    return this.#all.splice(0);
  }

  /** Whether one for whom this holds has waited for so long that no other goes first any more. */
  hasWaited(isFit: (session: Session) => boolean): boolean {
    const first = this.#all.find(({ session }) => isFit(session));
    return first !== undefined && performance.now() - first.sinceMs > patienceMs;
  }
}
