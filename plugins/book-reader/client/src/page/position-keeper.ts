import type { ApiError, LongboxClient } from "@longbox/sdk/client";
import { addressOf } from "@longbox/sdk/ui";
import type { ShownPlace } from "../protocol.js";
import { reportPath } from "./addresses.js";
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

/** A report that was not sent yet. */
interface Waiting {
  readonly report: Report;
  /** When it was read, by this device's clock. */
  readonly at: string;
  /** Sending it has failed before. */
  readonly isLate?: boolean;
}

/**
 * Saves the position: after a pause in reading, at once when the window is hidden, and later when there is no
 * connection. Until the server has confirmed it, it is kept among the late reports of the user.
 */
export class PositionKeeper {
  readonly #longbox: LongboxClient;
  readonly #cvIssueId: number;
  readonly #stop = new AbortController();
  #waiting: Waiting | undefined;
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
    const report: Report = {
      ...place,
      ...(chapter !== "" && { chapter: chapter.slice(0, 500) }),
      ...{ page, pages, device: thisDevice() },
      ...(this.#mayGoBack && { mayGoBack: true }),
      ...(this.#restart && { restart: true }),
    };
    this.#waiting = { report, at: new Date().toISOString() };
    this.#later(quietMs);
  }

  async flush(): Promise<void> {
    const waiting = this.#take();
    if (!waiting) return;
    const late = lateReport(waiting);
    this.#reports.keep(this.#path, late);
    try {
      await this.#longbox.api(this.#path, { method: "POST", body: waiting.isLate ? late : waiting.report });
      this.#sent(late);
    } catch (problem) {
      const { status } = problem as Partial<ApiError>;
      if (status === 400 || status === 403 || status === 404) return this.#reports.forget(this.#path, late);
      this.#waiting ??= { ...waiting, isLate: true };
      if (!this.#stop.signal.aborted) this.#later(againMs);
    }
  }

  async release(): Promise<void> {
    this.#stop.abort();
    await this.flush();
  }

  get #path(): string {
    return reportPath(this.#cvIssueId);
  }

  get #reports() {
    return this.#longbox.offline.reports;
  }

  #later(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), ms);
  }

  #take(): Waiting | undefined {
    clearTimeout(this.#timer);
    const waiting = this.#waiting;
    this.#waiting = undefined;
    return waiting;
  }

  #sent(late: LateReport): void {
    this.#restart = false;
    this.#mayGoBack = false;
    this.#reports.forget(this.#path, late);
  }

  /** The document may be closing: only a request with `keepalive` is sent then. */
  #sendLast(): void {
    const waiting = this.#take();
    if (!waiting) return;
    const late = lateReport(waiting);
    this.#reports.keep(this.#path, late);
    const sent = fetch(addressOf(this.#path), {
      method: "POST",
      body: JSON.stringify(waiting.isLate ? late : waiting.report),
      headers: { "Content-Type": "application/json" },
      keepalive: true,
    });
    sent.then(
      (answer) => answer.ok && this.#sent(late),
      () => {
        // It is kept, and sent with the next page or visit.
        this.#waiting ??= { ...waiting, isLate: true };
      },
    );
  }
}

type LateReport = ReturnType<typeof lateReport>;

/** With its time, and without the permission to go back: what other devices report in the meantime counts more. */
function lateReport({ report: { mayGoBack: _mayGoBack, ...report }, at }: Waiting) {
  return { ...report, at };
}
