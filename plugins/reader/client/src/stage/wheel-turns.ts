/** Pixels of wheel that turn a page. */
const threshold = 60;
/** After a pause of this length, the wheel starts a new movement. */
const pauseMs = 180;
/** The minimum time between turns, because the momentum of a trackpad would turn several pages. */
const restMs = 420;

/** Decides when scrolling past the end of a page turns it. */
export class WheelTurns {
  #sum = 0;
  #lastAt = 0;
  #turnedAt = -Infinity;
  #pannedInThisMovement = false;

  /** 1 or -1 when the page is to be turned, else 0. */
  turn(delta: number, { panned, at }: { panned: boolean; at: number }): 1 | -1 | 0 {
    if (at - this.#lastAt > pauseMs) {
      this.#sum = 0;
      this.#pannedInThisMovement = false;
    }
    this.#lastAt = at;
    this.#pannedInThisMovement ||= panned;
    if (this.#pannedInThisMovement || at - this.#turnedAt < restMs) return 0;
    this.#sum += delta;
    if (Math.abs(this.#sum) < threshold) return 0;
    const turn = this.#sum > 0 ? 1 : -1;
    this.#sum = 0;
    this.#turnedAt = at;
    return turn;
  }
}
