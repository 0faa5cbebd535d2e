/** When a book stops by itself. */
export type Sleep = { readonly kind: "minutes"; readonly minutes: number } | { readonly kind: "chapter" };

interface Sleeper {
  /** Seconds until the end of the chapter, at the speed that is heard. */
  readonly untilChapterEnd: () => number;
  readonly isPlaying: () => boolean;
  readonly fade: (volume: number) => void;
  readonly stop: () => void;
  readonly goOn: () => void;
  readonly changed: () => void;
}

/** The sound grows quieter for so long. */
const fadeSeconds = 20;
/** After the end, so long a key or a shake lets the book go on. */
const graceMs = 120_000;
/** Metres per second squared, beside gravity. */
const shake = 14;
const tickMs = 500;

/** Stops a book after some minutes or at the end of a chapter; a key or a shake of the phone lets it go on. */
export class SleepTimer {
  #sleep: Sleep | undefined;
  #leftMs = 0;
  #timer: ReturnType<typeof setInterval> | undefined;
  #endedAt = 0;
  #extended: Sleep | undefined;
  readonly #wake = (event: Event) => this.#onWake(event);

  constructor(private readonly sleeper: Sleeper) {}

  get sleep(): Sleep | undefined {
    return this.#sleep;
  }

  /** Seconds until the book stops; undefined without a timer. */
  get secondsLeft(): number | undefined {
    if (!this.#sleep) return undefined;
    return this.#sleep.kind === "chapter" ? this.sleeper.untilChapterEnd() : this.#leftMs / 1000;
  }

  set(sleep: Sleep | undefined): void {
    this.#end();
    this.#sleep = sleep;
    this.sleeper.fade(1);
    if (sleep) {
      this.#leftMs = sleep.kind === "minutes" ? sleep.minutes * 60_000 : 0;
      this.#timer = setInterval(() => this.#tick(), tickMs);
    }
    this.sleeper.changed();
  }

  #end(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#sleep = undefined;
    this.#listen(false);
  }

  #tick(): void {
    if (!this.sleeper.isPlaying()) return;
    this.#leftMs -= tickMs;
    const left = this.secondsLeft ?? 0;
    if (left < fadeSeconds) {
      this.#listen(true);
      this.sleeper.fade(Math.max(0.1, left / fadeSeconds));
    }
    // A chapter ends between two ticks.
    if (left <= (tickMs / 1000) * (this.#sleep?.kind === "chapter" ? 1 : 0)) this.#fallAsleep();
    else this.sleeper.changed();
  }

  #fallAsleep(): void {
    const ended = this.#sleep;
    this.#end();
    this.sleeper.stop();
    this.sleeper.fade(1);
    this.#endedAt = Date.now();
    this.#extended = ended;
    this.#listen(true);
    this.sleeper.changed();
  }

  #listen(on: boolean): void {
    for (const event of ["keydown", "devicemotion"])
      if (on) addEventListener(event, this.#wake);
      else removeEventListener(event, this.#wake);
  }

  #onWake(event: Event): void {
    if (event instanceof KeyboardEvent && isTyping(event)) return;
    if ("acceleration" in event && !isShake(event as DeviceMotionEvent)) return;
    const sleep = this.#sleep ?? this.#extended;
    const hasEnded = this.#sleep === undefined;
    this.#extended = undefined;
    this.#listen(false);
    if (!sleep || (hasEnded && Date.now() - this.#endedAt > graceMs)) return;
    this.set(sleep);
    if (hasEnded) this.sleeper.goOn();
  }
}

function isTyping(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type !== "range");
}

function isShake({ acceleration }: DeviceMotionEvent): boolean {
  const { x, y, z } = acceleration ?? { x: 0, y: 0, z: 0 };
  return Math.hypot(x ?? 0, y ?? 0, z ?? 0) > shake;
}
