import { t } from "@longbox/sdk/ui";
import { readOn, type Commanded } from "./commands.js";

/** Pixels a second for each step of the speed. */
const pixelsPerStep = 24;
/** How long a page is shown at the lowest speed, and how much shorter at each higher one. */
const slowestTurnMs = 24_000;
const shorterByMs = 2_200;

/** Moves the pages by themselves: a strip steadily, others page by page. */
export class AutoScroll {
  readonly #reader: Commanded;
  #frame = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #last = 0;
  #rest = 0;
  #isRunning = false;

  constructor(reader: Commanded) {
    this.#reader = reader;
  }

  get isRunning(): boolean {
    return this.#isRunning;
  }

  toggle(): void {
    if (this.#isRunning) return this.stop();
    this.#start();
    this.#reader.hideControls();
    this.#reader.say(t("autoScroll.pagesMoveByThemselves"));
  }

  #start(): void {
    this.#isRunning = true;
    this.#rest = 0;
    if (this.#reader.open.mode === "continuous") {
      this.#last = performance.now();
      this.#frame = requestAnimationFrame(this.#onFrame);
    } else this.#wait();
  }

  stop(): void {
    if (!this.#isRunning) return;
    this.#isRunning = false;
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#timer);
    this.#reader.say(t("autoScroll.stopped"));
  }

  readonly #onFrame = (now: number): void => {
    // A window that was hidden does not catch up.
    const elapsedMs = Math.min(100, Math.max(0, now - this.#last));
    this.#last = now;
    this.#rest += (elapsedMs / 1000) * this.#reader.open.choices.speed * pixelsPerStep;
    const pixels = Math.floor(this.#rest);
    this.#rest -= pixels;
    if (pixels > 0 && !this.#reader.shownStage?.pan({ x: 0, y: -pixels })) return this.stop();
    this.#frame = requestAnimationFrame(this.#onFrame);
  };

  #wait(): void {
    this.#timer = setTimeout(() => this.#readOn(), slowestTurnMs - shorterByMs * this.#reader.open.choices.speed);
  }

  #readOn(): void {
    readOn(this.#reader, 1);
    if (this.#reader.isAtEnd) this.stop();
    else this.#wait();
  }
}
