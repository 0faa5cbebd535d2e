import type { Releasable } from "@longbox/sdk";
import { addressOf } from "@longbox/sdk/ui";
import { Connection } from "../offline/connection.js";

/** A hidden tab closes its connection after this time, and fetches everything again when it is shown. */
const hiddenMs = 60_000;
const longestWaitMs = 30_000;

/**
 * The server's event stream, with one connection for the whole tab. Listeners of a domain fetch that domain again;
 * after events were lost, all listeners do.
 */
export class Changes {
  readonly connection = new Connection();
  readonly #listeners = new Map<string, Set<() => void>>();
  #source: EventSource | undefined;
  #wanted = false;
  #missed = false;
  #failures = 0;
  #timer: number | undefined;

  constructor() {
    document.addEventListener("visibilitychange", () => this.#visibilityChanged());
    addEventListener("online", () => void (this.#wanted && !this.#source && this.#open()));
  }

  onChanged(domain: string, listener: () => void): Releasable {
    const listeners = this.#listeners.get(domain) ?? new Set();
    if (!this.#listeners.has(domain)) {
      this.#listeners.set(domain, listeners);
      this.#source?.addEventListener(domain, () => this.#tell(domain));
    }
    // A new function, so that the same listener may be added twice.
    const entry = (): void => listener();
    listeners.add(entry);
    return { release: () => void listeners.delete(entry) };
  }

  /** Connects, or stays connected. */
  start(): void {
    this.#wanted = true;
    if (!this.#source) this.#open();
  }

  stop(): void {
    this.#wanted = false;
    this.#close();
  }

  #open(): void {
    window.clearTimeout(this.#timer);
    const source = new EventSource(addressOf("/api/events"));
    this.#source = source;
    source.addEventListener("open", () => this.#opened());
    source.addEventListener("error", () => this.#failed(source));
    source.addEventListener("reset", () => this.#tellAll());
    for (const domain of this.#listeners.keys()) source.addEventListener(domain, () => this.#tell(domain));
  }

  #close(): void {
    window.clearTimeout(this.#timer);
    this.#source?.close();
    this.#source = undefined;
    if (!this.#wanted) this.connection.found();
  }

  #opened(): void {
    this.#failures = 0;
    this.connection.found();
    if (this.#missed) this.#tellAll();
    this.#missed = false;
  }

  /** The browser reconnects by itself and sends the last event id, unless the answer was not an event stream. */
  #failed(source: EventSource): void {
    if (source === this.#source) this.connection.lost();
    if (source.readyState !== EventSource.CLOSED || source !== this.#source) return;
    this.#close();
    this.#missed = true;
    this.#failures += 1;
    if (this.#wanted)
      this.#timer = window.setTimeout(() => this.#open(), Math.min(longestWaitMs, 500 * 2 ** this.#failures));
  }

  #visibilityChanged(): void {
    if (!this.#wanted) return;
    if (document.visibilityState === "hidden") {
      this.#timer = window.setTimeout(() => {
        this.#close();
        this.#missed = true;
      }, hiddenMs);
    } else {
      window.clearTimeout(this.#timer);
      if (!this.#source) this.#open();
    }
  }

  #tell(domain: string): void {
    for (const listener of [...(this.#listeners.get(domain) ?? [])]) listener();
  }

  #tellAll(): void {
    for (const domain of this.#listeners.keys()) this.#tell(domain);
  }
}
