import type { AudiobookProgress } from "@longbox/audiobooks/api";
import type { ApiError, LongboxClient } from "@longbox/sdk/client";
import { addressOf } from "@longbox/sdk/ui";
import { reportPath } from "./addresses.js";
import { deviceName } from "./choices.js";

/** How often a position is saved while a book plays. */
const everyMs = 10_000;

interface Place {
  readonly issueId: number;
  readonly position: number;
  readonly duration: number;
  readonly mayGoBack?: boolean;
  readonly completed?: boolean;
  /** A book that was finished is begun again. */
  readonly restart?: boolean;
}

/**
 * Saves the position: now and then while a book plays, and at once after a pause or a jump and when the window is
 * hidden. Until the server has confirmed it, it is kept among the late reports of the user.
 */
export class PositionKeeper {
  readonly #longbox: LongboxClient;
  #savedAt = 0;
  #latest: Place | undefined;

  constructor(longbox: LongboxClient) {
    this.#longbox = longbox;
    addEventListener("pagehide", () => this.#saveAtTheLastMoment());
    document.addEventListener(
      "visibilitychange",
      () => document.visibilityState === "hidden" && this.#saveAtTheLastMoment(),
    );
  }

  /** The book went on. */
  playing(place: Place): void {
    this.#latest = place;
    if (Date.now() - this.#savedAt >= everyMs) void this.save(place);
  }

  /** Saves at once. */
  async save(place: Place): Promise<void> {
    this.#savedAt = Date.now();
    this.#latest = undefined;
    const path = reportPath(place.issueId);
    const late = this.#keep(place);
    try {
      await this.#longbox.api(path, { method: "POST", body: reportOf(place) });
      this.#reports.forget(path, late);
    } catch (problem) {
      // A book that is gone is never asked for again; any other report is sent once there is a connection.
      if (Number((problem as Partial<ApiError>).status) >= 400) this.#reports.forget(path, late);
      console.warn("The position was not saved.", problem);
    }
  }

  /** What the server does not know yet of a book. */
  unsent(issueId: number): Omit<AudiobookProgress, "further"> | undefined {
    const { position, duration, at, completed } = this.#reports.find(reportPath(issueId)) ?? {};
    if (typeof position !== "number" || typeof duration !== "number" || typeof at !== "string") return undefined;
    return { position, duration, at, completed: completed === true };
  }

  get #reports() {
    return this.#longbox.offline.reports;
  }

  #keep(place: Place) {
    const { mayGoBack: _mayGoBack, ...report } = reportOf(place);
    // With its time, and without the permission to go back: what other devices report in the meantime counts more.
    const late = { ...report, at: new Date().toISOString() };
    this.#reports.keep(reportPath(place.issueId), late);
    return late;
  }

  /** The document may be closing: only a request with `keepalive` is sent then. */
  #saveAtTheLastMoment(): void {
    const place = this.#latest;
    if (!place) return;
    this.#latest = undefined;
    const path = reportPath(place.issueId);
    const late = this.#keep(place);
    const sent = fetch(addressOf(path), {
      method: "POST",
      body: JSON.stringify(reportOf(place)),
      headers: { "Content-Type": "application/json" },
      keepalive: true,
    });
    sent.then(
      (answer) => answer.ok && this.#reports.forget(path, late),
      // It is kept, and sent at the next visit.
      () => undefined,
    );
  }
}

function reportOf({ issueId: _issueId, ...report }: Place) {
  return { ...report, device: deviceName() };
}
