import { AsyncResource } from "node:async_hooks";

/** How an alarm is set. */
export interface AlarmSetting {
  readonly call: () => void;
  readonly ms: number;
  readonly repeats: boolean;
}

/** The clock that an alarm belongs to, and the timer of the platform behind it. */
export interface AlarmClock {
  now(): number;
  start(call: () => void, ms: number): NodeJS.Timeout;
  stop(timer: NodeJS.Timeout | undefined): void;
  /** Called when the alarm will not ring again, or will after all. */
  waits(alarm: Alarm, waiting: boolean): void;
}

const longestMs = 2 ** 31 - 1;

/** What `setTimeout` and `setInterval` return while a test moves the clock: it rings at a time of that clock. */
export class Alarm implements Disposable {
  due = 0;
  readonly #clock: AlarmClock;
  readonly #call: () => void;
  readonly #ms: number;
  readonly #repeats: boolean;
  #timer: NodeJS.Timeout | undefined;
  #keepsProcess = true;

  constructor(clock: AlarmClock, { call, ms, repeats }: AlarmSetting) {
    this.#clock = clock;
    // What is called belongs to who set the alarm, not to the test that lets it ring.
    this.#call = AsyncResource.bind(call);
    this.#ms = ms >= 1 && ms <= longestMs ? Math.trunc(ms) : 1;
    this.#repeats = repeats;
    this.refresh();
  }

  ring(): void {
    if (this.#repeats) this.refresh();
    else this.close();
    this.#call();
  }

  /** Starts the timer of the platform again, for what is left by the clock. */
  wind(): void {
    this.#clock.stop(this.#timer);
    this.#timer = this.#clock.start(() => this.ring(), Math.max(1, this.due - this.#clock.now()));
    if (!this.#keepsProcess) this.#timer.unref();
  }

  refresh(): this {
    this.due = this.#clock.now() + this.#ms;
    this.#clock.waits(this, true);
    this.wind();
    return this;
  }

  close(): this {
    this.#clock.stop(this.#timer);
    this.#timer = undefined;
    this.#clock.waits(this, false);
    return this;
  }

  ref(): this {
    this.#keepsProcess = true;
    this.#timer?.ref();
    return this;
  }

  unref(): this {
    this.#keepsProcess = false;
    this.#timer?.unref();
    return this;
  }

  hasRef(): boolean {
    return this.#keepsProcess;
  }

  [Symbol.toPrimitive](): number {
    return this.#timer?.[Symbol.toPrimitive]() ?? 0;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}
