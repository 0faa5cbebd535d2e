import { createRequire, syncBuiltinESMExports } from "node:module";
import { promisify } from "node:util";
import type { TestClock } from "@longbox/sdk/testing";
import { Alarm } from "./alarm.js";

interface PauseOptions {
  readonly signal?: AbortSignal;
  readonly ref?: boolean;
}

const require = createRequire(import.meta.url);
const timers = require("node:timers") as object;
const timerPromises = require("node:timers/promises") as { setTimeout: unknown };
const realTimers = { setTimeout, setInterval, clearTimeout, clearInterval };
const RealDate = Date;
const realPause = timerPromises.setTimeout;
let inUse = false;

/**
 * The clock of this process, which passes as usual and can jump forward. It takes the place of `Date`, of the timers,
 * and of `setTimeout` in `node:timers/promises`, until it is released.
 */
export class JumpingClock implements TestClock {
  #ahead = 0;
  readonly #alarms = new Set<Alarm>();

  /** @throws {Error} when another host of this process moves the clock */
  constructor() {
    if (inUse) throw new Error("Another test host of this process moves the clock: dispose it first.");
    inUse = true;
    this.#replace();
  }

  now(): number {
    return RealDate.now() + this.#ahead;
  }

  async advance(milliseconds: number): Promise<void> {
    if (!(milliseconds >= 0)) throw new RangeError(`Time cannot go back: ${milliseconds} ms.`);
    const until = this.now() + milliseconds;
    for (const alarm of [...this.#alarms].sort((one, other) => one.due - other.due)) {
      if (alarm.due > until || !this.#alarms.has(alarm)) continue;
      this.#jumpTo(alarm.due);
      alarm.ring();
      await turn();
    }
    this.#jumpTo(until);
    for (const alarm of this.#alarms) alarm.wind();
    await turn();
  }

  /** What still waits then goes on by the real clock. */
  release(): void {
    this.#ahead = 0;
    Object.assign(globalThis, realTimers, { Date: RealDate });
    Object.assign(timers, realTimers);
    timerPromises.setTimeout = realPause;
    syncBuiltinESMExports();
    inUse = false;
  }

  #jumpTo(time: number): void {
    this.#ahead += Math.max(0, time - this.now());
  }

  #replace(): void {
    const set =
      (repeats: boolean) =>
      (call: (...given: unknown[]) => void, ms?: number, ...given: unknown[]) =>
        this.#set({ call: () => call(...given), ms: ms ?? 1, repeats });
    const own = { setTimeout: set(false), setInterval: set(true), clearTimeout: clear, clearInterval: clear };
    const pause = (ms?: number, value?: unknown, options?: PauseOptions) => this.#pause(ms ?? 1, value, options);
    Object.defineProperty(own.setTimeout, promisify.custom, { value: pause });
    Object.assign(globalThis, own, { Date: this.#date() });
    Object.assign(timers, own);
    timerPromises.setTimeout = pause;
    syncBuiltinESMExports();
  }

  #set(setting: { readonly call: () => void; readonly ms: number; readonly repeats: boolean }): Alarm {
    const clock = {
      now: () => this.now(),
      start: realTimers.setTimeout,
      stop: realTimers.clearTimeout,
      waits: (alarm: Alarm, waiting: boolean) => void (waiting ? this.#alarms.add(alarm) : this.#alarms.delete(alarm)),
    };
    return new Alarm(clock, setting);
  }

  #pause(ms: number, value: unknown, { signal, ref = true }: PauseOptions = {}): Promise<unknown> {
    return new Promise((resolve, reject) => {
      // As the platform does: the reason is the cause of an AbortError.
      const aborted = () =>
        new DOMException("The operation was aborted", { name: "AbortError", cause: signal?.reason });
      if (signal?.aborted) return reject(aborted());
      const abort = () => {
        alarm.close();
        reject(aborted());
      };
      const call = () => {
        signal?.removeEventListener("abort", abort);
        resolve(value);
      };
      const alarm = this.#set({ call, ms, repeats: false });
      if (!ref) alarm.unref();
      signal?.addEventListener("abort", abort, { once: true });
    });
  }

  /** The constructor `Date`, for which it is now what this clock says. */
  #date(): DateConstructor {
    const now = () => this.now();
    return new Proxy(RealDate, {
      construct: (target, given: [], newTarget) =>
        Reflect.construct(target, given.length === 0 ? [now()] : given, newTarget),
      apply: () => new RealDate(now()).toString(),
      get: (target, name, receiver) => (name === "now" ? now : (Reflect.get(target, name, receiver) as unknown)),
    });
  }
}

function clear(given: unknown): void {
  if (given instanceof Alarm) given.close();
  else realTimers.clearTimeout(given as NodeJS.Timeout | undefined);
}

/** Lets everything run that is ready, and what it awaits from the disk or another thread begin. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}
