import type { LongboxClient } from "@longbox/sdk/client";
import { deviceName } from "./choices.js";

/** How often a position is saved while a book plays. */
const everyMs = 10_000;
const key = "longbox.audiobooks.unsaved";

interface Place {
  readonly issueId: number;
  readonly position: number;
  readonly duration: number;
  /** When it was heard, by this device's clock. */
  readonly at: string;
  readonly mayGoBack?: boolean;
  readonly completed?: boolean;
  /** A book that was finished is begun again. */
  readonly restart?: boolean;
}

/**
 * Saves the position: now and then while a book plays, at once after a pause or a jump and when the window is hidden, and
 * later when there was no connection.
 */
export class PositionKeeper {
  #savedAt = 0;
  #latest: Place | undefined;

  constructor(private readonly longbox: LongboxClient) {
    addEventListener("pagehide", () => this.#saveAtTheLastMoment());
    document.addEventListener(
      "visibilitychange",
      () => document.visibilityState === "hidden" && this.#saveAtTheLastMoment(),
    );
    addEventListener("online", () => void this.sendUnsaved());
    void this.sendUnsaved();
  }

  /** The book went on. */
  playing(place: Omit<Place, "at">): void {
    this.#latest = { ...place, at: new Date().toISOString() };
    if (Date.now() - this.#savedAt >= everyMs) void this.save(this.#latest);
  }

  /** Saves at once. */
  async save({ issueId, ...place }: Omit<Place, "at">): Promise<void> {
    this.#savedAt = Date.now();
    this.#latest = undefined;
    const kept: Place = { issueId, at: new Date().toISOString(), ...place };
    keep(kept);
    try {
      await this.longbox.api(addressOf(issueId), { method: "POST", body: { ...place, device: deviceName() } });
      forget(kept);
    } catch (problem) {
      // It stays in this browser, and is sent once there is a connection.
      console.warn("The position was not saved.", problem);
    }
  }

  /** Sends what was not saved, with its time: what other devices reported since then counts more. */
  async sendUnsaved(): Promise<void> {
    const place = kept();
    if (!place) return;
    const { issueId, mayGoBack: _mayGoBack, ...report } = place;
    try {
      await this.longbox.api(addressOf(issueId), { method: "POST", body: { ...report, device: deviceName() } });
      forget(place);
    } catch (problem) {
      // A book that is gone is never asked for again.
      if (problem instanceof Error && "status" in problem && Number(problem.status) >= 400) forget(place);
    }
  }

  /** The document may be closing: only a request with `keepalive` is sent then. */
  #saveAtTheLastMoment(): void {
    const place = this.#latest;
    if (!place) return;
    this.#latest = undefined;
    keep(place);
    const { issueId, at: _at, ...report } = place;
    const sent = fetch(addressOf(issueId), {
      method: "POST",
      body: JSON.stringify({ ...report, device: deviceName() }),
      headers: { "Content-Type": "application/json" },
      keepalive: true,
    });
    sent.then(
      (answer) => answer.ok && forget(place),
      // It is kept, and sent at the next visit.
      () => undefined,
    );
  }
}

const addressOf = (issueId: number) => `/api/audiobooks/issue/${issueId}/progress`;

function keep(place: Place): void {
  localStorage.setItem(key, JSON.stringify(place));
}

function kept(): Place | undefined {
  const text = localStorage.getItem(key);
  return text === null ? undefined : (JSON.parse(text) as Place);
}

/** Meanwhile a newer one may have been kept. */
function forget(place: Place): void {
  if (kept()?.at === place.at) localStorage.removeItem(key);
}
