import type { ApiError, LongboxClient } from "@longbox/sdk/client";
import { basePath } from "@longbox/sdk/ui";

/** A position that the server has not confirmed. */
export interface Place {
  readonly page: number;
  readonly pages: number;
  readonly completed: boolean;
  readonly restart: boolean;
  /** When the page was read, in milliseconds since 1970 by this device's clock. */
  readonly readAt: number;
}

type Places = Record<string, Place>;

const key = `longbox.reader.unsaved${basePath}`;

/**
 * The positions of one user that this device stores until the server has confirmed them, such as those saved offline or
 * just before the window was closed.
 */
export class UnsavedPlaces {
  readonly #longbox: LongboxClient;

  constructor(longbox: LongboxClient) {
    this.#longbox = longbox;
  }

  find(cvIssueId: number): Place | undefined {
    return this.#read()[cvIssueId];
  }

  keep(cvIssueId: number, place: Place): void {
    this.#write({ ...this.#read(), [cvIssueId]: place });
  }

  forget(cvIssueId: number): void {
    const { [cvIssueId]: _forgotten, ...others } = this.#read();
    this.#write(others);
  }

  /** Sends all of them with their times, so that later reading on other devices is kept. */
  async send(): Promise<void> {
    for (const [cvIssueId, place] of Object.entries(this.#read())) {
      try {
        await this.#longbox.api(progressPath(Number(cvIssueId)), { method: "POST", body: lateReport(place) });
      } catch (problem) {
        if (!isRefusal(problem)) return;
      }
      this.forget(Number(cvIssueId));
    }
  }

  #read(): Places {
    return readAll()[String(this.#longbox.user.id)] ?? {};
  }

  #write(places: Places): void {
    const { [String(this.#longbox.user.id)]: _former, ...others } = readAll();
    const all = Object.keys(places).length > 0 ? { ...others, [this.#longbox.user.id]: places } : others;
    try {
      localStorage.setItem(key, JSON.stringify(all));
    } catch {
      // A browser without storage: the position is sent with the next page while the reader is open.
    }
  }
}

export function progressPath(cvIssueId: number): string {
  return `/api/reader/issue/${cvIssueId}/progress`;
}

export function lateReport({ readAt, restart, ...place }: Place): object {
  return { ...place, ...(restart && { restart }), readAt: new Date(readAt).toISOString() };
}

/** Whether the server has answered in a way that a retry would not change. */
export function isRefusal(problem: unknown): boolean {
  const { status } = problem as Partial<ApiError>;
  return status === 400 || status === 403 || status === 404;
}

function readAll(): Record<string, Places> {
  try {
    return JSON.parse(localStorage.getItem(key) ?? "{}") as Record<string, Places>;
  } catch {
    // Invalid content, or a browser without storage.
    return {};
  }
}
