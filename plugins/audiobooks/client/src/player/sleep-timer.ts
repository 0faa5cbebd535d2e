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
const gravity = 9.81;
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
    if (sleep) askForMotion();
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
      // Before the keys of the player: the key that wakes it must not pause it again.
      if (on) addEventListener(event, this.#wake, { capture: true });
      else removeEventListener(event, this.#wake, { capture: true });
  }

  #onWake(event: Event): void {
    if (event instanceof KeyboardEvent && isTyping(event)) return;
    if (event.type === "devicemotion" && !isShake(event as DeviceMotionEvent)) return;
    const sleep = this.#sleep ?? this.#extended;
    const hasEnded = this.#sleep === undefined;
    this.#extended = undefined;
    this.#listen(false);
    if (!sleep || (hasEnded && Date.now() - this.#endedAt > graceMs)) return;
    this.set(sleep);
    if (!hasEnded) return;
    event.preventDefault();
    this.sleeper.goOn();
  }
}

function isTyping(event: KeyboardEvent): boolean {
  const [target] = event.composedPath();
  return target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type !== "range");
}

/** Some phones tell only what includes gravity. */
function isShake({ acceleration, accelerationIncludingGravity }: DeviceMotionEvent): boolean {
  const strength = (motion: DeviceMotionEventAcceleration) => Math.hypot(motion.x ?? 0, motion.y ?? 0, motion.z ?? 0);
  if (acceleration && acceleration.x !== null) return strength(acceleration) > shake;
  return accelerationIncludingGravity !== null && strength(accelerationIncludingGravity) - gravity > shake;
}

/** iPhones tell of motion only with the user's consent, and ask for it only while a button is pressed. */
function askForMotion(): void {
  if (typeof DeviceMotionEvent === "undefined") return;
  const { requestPermission } = DeviceMotionEvent as unknown as { requestPermission?: () => Promise<string> };
  requestPermission?.call(DeviceMotionEvent).catch((problem: unknown) => {
    // Keys still wake it.
    console.warn("Shakes of this device are not told.", problem);
  });
}
