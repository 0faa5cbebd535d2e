import type { LongboxClient } from "@longbox/sdk/client";

/** How long the reader rests on a page before it is saved. */
const quietMs = 700;

interface Position {
  readonly page: number;
  readonly pages: number;
  readonly completed: boolean;
}

/** Saves how far one is: once the pages rest, and at once when the window is hidden or the reader closes. */
export class ProgressKeeper {
  readonly #longbox: LongboxClient;
  readonly #path: string;
  readonly #failed: (problem: unknown) => void;
  #waiting: Position | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #restart: boolean;
  readonly #stop = new AbortController();

  constructor(longbox: LongboxClient, cvIssueId: number, options: { restart: boolean; failed: (problem: unknown) => void }) {
    this.#longbox = longbox;
    this.#path = `/api/reader/issue/${cvIssueId}/progress`;
    this.#restart = options.restart;
    this.#failed = options.failed;
    const { signal } = this.#stop;
    document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && void this.flush(), { signal });
    addEventListener("pagehide", () => this.#flushAtTheLastMoment(), { signal });
  }

  at(position: Position): void {
    this.#waiting = position;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.flush(), quietMs);
  }

  async flush(): Promise<void> {
    const body = this.#take();
    if (!body) return;
    try {
      await this.#longbox.api(this.#path, { method: "POST", body });
    } catch (problem) {
      // The next page turned saves anew, and tells of this one too.
      this.#waiting ??= body;
      this.#restart ||= body.restart ?? false;
      this.#failed(problem);
    }
  }

  async release(): Promise<void> {
    this.#stop.abort();
    await this.flush();
  }

  /** The document is going: only a request that may outlive it arrives. */
  #flushAtTheLastMoment(): void {
    const body = this.#take();
    if (body) void fetch(this.#path, { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" }, keepalive: true });
  }

  #take(): (Position & { restart?: true }) | undefined {
    clearTimeout(this.#timer);
    const position = this.#waiting;
    this.#waiting = undefined;
    if (!position) return undefined;
    const restart = this.#restart;
    this.#restart = false;
    return restart ? { ...position, restart } : position;
  }
}
