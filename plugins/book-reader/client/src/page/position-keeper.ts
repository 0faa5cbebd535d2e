import type { ApiError, LongboxClient } from "@longbox/sdk/client";
import type { ShownPlace } from "../protocol.js";
import { keepPlaceHere, thisDevice } from "./this-device.js";

/** How long a page must be shown before the position is saved. */
const quietMs = 900;
/** After a failure. */
const againMs = 10_000;

interface Report {
  readonly locator: string;
  readonly fraction: number;
  readonly chapter?: string;
  readonly page: number;
  readonly pages: number;
  readonly device: string;
  readonly mayGoBack?: boolean;
  readonly restart?: boolean;
}

/** Saves the position: after a pause in reading, at once when the window is hidden, and later when there is no connection. */
export class PositionKeeper {
  readonly #longbox: LongboxClient;
  readonly #cvIssueId: number;
  readonly #stop = new AbortController();
  #waiting: Report | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #restart: boolean;
  #mayGoBack = false;

  constructor(longbox: LongboxClient, cvIssueId: number, options: { readonly restart: boolean }) {
    this.#longbox = longbox;
    this.#cvIssueId = cvIssueId;
    this.#restart = options.restart;
    const { signal } = this.#stop;
    document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && this.#sendLast(), {
      signal,
    });
    addEventListener("pagehide", () => this.#sendLast(), { signal });
    addEventListener("online", () => void this.flush(), { signal });
  }

  /** The user chose to stay behind another device: the next position counts although it is not the furthest. */
  stayHere(): void {
    this.#mayGoBack = true;
  }

  at({ locator, fraction, chapter, page, pages, atEnd }: ShownPlace): void {
    const place = { locator, fraction: atEnd ? 1 : Math.min(fraction, 0.9999) };
    keepPlaceHere(this.#longbox.user.id, this.#cvIssueId, place);
    this.#waiting = {
      ...place,
      ...(chapter !== "" && { chapter: chapter.slice(0, 500) }),
      ...{ page, pages, device: thisDevice() },
      ...(this.#mayGoBack && { mayGoBack: true }),
      ...(this.#restart && { restart: true }),
    };
    this.#later(quietMs);
  }

  async flush(): Promise<void> {
    const report = this.#take();
    if (!report) return;
    try {
      await this.#longbox.api(this.#path, { method: "POST", body: report });
      this.#sent();
    } catch (problem) {
      const { status } = problem as Partial<ApiError>;
      if (status === 400 || status === 403 || status === 404) return;
      this.#waiting ??= report;
      if (!this.#stop.signal.aborted) this.#later(againMs);
    }
  }

  async release(): Promise<void> {
    this.#stop.abort();
    await this.flush();
  }

  get #path(): string {
    return `/api/ebooks/issue/${this.#cvIssueId}/progress`;
  }

  #later(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), ms);
  }

  #take(): Report | undefined {
    clearTimeout(this.#timer);
    const report = this.#waiting;
    this.#waiting = undefined;
    return report;
  }

  #sent(): void {
    this.#restart = false;
    this.#mayGoBack = false;
  }

  /** The document may be closing: only a request with `keepalive` is sent then. */
  #sendLast(): void {
    const report = this.#take();
    if (!report) return;
    const sent = fetch(this.#path, {
      method: "POST",
      body: JSON.stringify(report),
      headers: { "Content-Type": "application/json" },
      keepalive: true,
    });
    sent.then(
      (answer) => answer.ok && this.#sent(),
      () => {
        // The place is kept on this device, and sent with the next page or visit.
        this.#waiting ??= report;
      },
    );
  }
}
