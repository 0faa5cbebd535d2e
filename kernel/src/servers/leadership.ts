import { setTimeout as pause } from "node:timers/promises";
import type { Releasable } from "@longbox/sdk";

/** A lock that one server at a time can have, and that goes with its connection. */
interface LeaderLock extends Releasable {
  readonly ended: Promise<void>;
  tryTake(): Promise<boolean>;
  take(): Promise<void>;
}

/** How long the lock of a server that was killed just now may still be held. */
const lingeringMs = 500;
const betweenLooksMs = 50;
const betweenConnectionsMs = 500;

/** The right to be the leader: the one server of a library that opens the data folder and runs plugins. */
export class Leadership implements Releasable {
  readonly #connect: () => Promise<LeaderLock>;
  #lock: LeaderLock | undefined;
  #isReleased = false;

  constructor(connect: () => Promise<LeaderLock>) {
    this.#connect = connect;
  }

  /**
   * Takes it unless another server has it.
   * @throws {LongboxError} `kernel/database-away`
   */
  async tryTake(): Promise<boolean> {
    this.#lock ??= await this.#connect();
    const end = Date.now() + lingeringMs;
    while (!(await this.#lock.tryTake())) {
      if (Date.now() > end) return false;
      await pause(betweenLooksMs);
    }
    return true;
  }

  /** Waits until the server that has it ends, also over times when the database server is away. */
  async take(): Promise<void> {
    while (!this.#isReleased) {
      try {
        this.#lock ??= await this.#connect();
        return await this.#lock.take();
      } catch {
        await this.#reconnectLater();
      }
    }
  }

  /**
   * Keeps it: when the connection breaks, it is taken again.
   * @param lost - called when another server has it by then
   */
  keep(lost: () => void): void {
    void this.#lock?.ended.then(() => this.#takeAgain(lost));
  }

  async release(): Promise<void> {
    this.#isReleased = true;
    await this.#drop();
  }

  async #takeAgain(lost: () => void): Promise<void> {
    this.#lock = undefined;
    while (!this.#isReleased) {
      try {
        return (await this.tryTake()) ? this.keep(lost) : lost();
      } catch {
        await this.#reconnectLater();
      }
    }
  }

  async #reconnectLater(): Promise<void> {
    await this.#drop();
    await pause(betweenConnectionsMs, undefined, { ref: false });
  }

  /** A connection that is broken already cannot be ended in order. */
  async #drop(): Promise<void> {
    const lock = this.#lock;
    this.#lock = undefined;
    await Promise.resolve(lock?.release()).catch(() => undefined);
  }
}
