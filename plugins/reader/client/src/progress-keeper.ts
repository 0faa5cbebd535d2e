import type { LongboxClient } from "@longbox/sdk/client";
import { addressOf } from "@longbox/sdk/ui";
import { isRefusal, lateReport, progressPath, UnsavedPlaces, type Place } from "./unsaved-places.js";

/** How long a page must be shown before the position is saved. */
const quietMs = 700;

interface Position {
  readonly page: number;
  readonly pages: number;
  readonly completed: boolean;
}

/**
 * Saves the position: after a pause in turning pages, at once when the window is hidden or the reader is closed, and
 * later when there was no connection.
 */
export class ProgressKeeper {
  readonly #longbox: LongboxClient;
  readonly #cvIssueId: number;
  readonly #failed: (problem: unknown) => void;
  readonly #unsaved: UnsavedPlaces;
  readonly #stop = new AbortController();
  #waiting: Place | undefined;
  #isLate = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #restart: boolean;

  constructor(
    longbox: LongboxClient,
    cvIssueId: number,
    options: { restart: boolean; failed: (problem: unknown) => void },
  ) {
    this.#longbox = longbox;
    this.#cvIssueId = cvIssueId;
    this.#restart = options.restart;
    this.#failed = options.failed;
    this.#unsaved = new UnsavedPlaces(longbox);
    const { signal } = this.#stop;
    document.addEventListener(
      "visibilitychange",
      () => document.visibilityState === "hidden" && this.#flushAtTheLastMoment(),
      { signal },
    );
    addEventListener("pagehide", () => this.#flushAtTheLastMoment(), { signal });
    addEventListener("online", () => void this.flush(), { signal });
  }

  at(position: Position): void {
    this.#waiting = { ...position, restart: this.#restart, readAt: Date.now() };
    this.#isLate = false;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), quietMs);
  }

  /** Drops a position that was not sent yet. */
  forget(): void {
    this.#take();
  }

  async flush(): Promise<void> {
    const place = this.#take();
    if (!place) return;
    try {
      await this.#longbox.api(progressPath(this.#cvIssueId), { method: "POST", body: this.#report(place) });
      this.#saved(place);
    } catch (problem) {
      if (!isRefusal(problem)) this.#unsaved.keep(this.#cvIssueId, place);
      // Meanwhile another page was shown, which is newer.
      if (!this.#waiting) [this.#waiting, this.#isLate] = [place, true];
      this.#failed(problem);
    }
  }

  async release(): Promise<void> {
    this.#stop.abort();
    await this.flush();
  }

  /**
   * The document may be closing: only a `keepalive` request is sent then, and its answer is lost. The position is kept
   * until an answer confirms it.
   */
  #flushAtTheLastMoment(): void {
    const place = this.#take();
    if (!place) return;
    this.#unsaved.keep(this.#cvIssueId, place);
    const sent = fetch(addressOf(progressPath(this.#cvIssueId)), {
      method: "POST",
      body: JSON.stringify(this.#report(place)),
      headers: { "Content-Type": "application/json" },
      keepalive: true,
    });
    sent.then(
      (answer) => answer.ok && this.#saved(place),
      () => undefined,
    );
  }

  /** Without a time, the server uses its own clock, since the device's may be wrong. Late reports need a time. */
  #report(place: Place): object {
    if (this.#isLate) return lateReport(place);
    const { readAt: _readAt, restart, ...position } = place;
    return restart ? { ...position, restart } : position;
  }

  #take(): Place | undefined {
    clearTimeout(this.#timer);
    const place = this.#waiting;
    this.#waiting = undefined;
    return place;
  }

  #saved(place: Place): void {
    if (place.restart) this.#restart = false;
    this.#unsaved.forget(this.#cvIssueId);
  }
}
