import type { ReactiveController, ReactiveControllerHost } from "lit";
import type { LongboxClient } from "../client.js";
import type { Releasable } from "../releasable.js";
import { messageOf } from "./message.js";
import { skeleton } from "./states/notices.js";
import { trouble } from "./states/trouble.js";

/** An element that has the client of the web interface, such as a LongboxElement. */
export interface ClientHost extends ReactiveControllerHost {
  readonly longbox: LongboxClient;
}

export interface ResourceOptions<T> {
  /**
   * The path to fetch. A function is called at every update: a different path is fetched, undefined fetches nothing.
   */
  readonly path: string | (() => string | undefined);
  /**
   * Domains of change (`context.changed("shelves")`) after which it is fetched again; what was there stays until the
   * new is.
   */
  readonly domains?: readonly string[] | (() => readonly string[]);
  /** How to fetch it; `longbox.api` unless said otherwise. Whatever it resolves with is the value. */
  readonly fetch?: (path: string, signal: AbortSignal) => Promise<T>;
  /** What came from one path stays until the answer of another is there; for lists whose filters change. */
  readonly keep?: boolean;
  /** Milliseconds from a change to fetching again, for what the server itself counts only now and then. Default 0. */
  readonly delayMs?: number;
  /** Hears every answer before it is shown. */
  readonly arrived?: (value: T) => void;
}

/** What stands where the value is not there yet, or could not be fetched. */
export interface ResourceStates {
  readonly waiting?: unknown;
  /** @param retry - Fetches again. @param thrown - What the fetching failed with, for `trouble` */
  readonly failed?: (message: string, retry: () => void, thrown: unknown) => unknown;
}

const says: NonNullable<ResourceStates["failed"]> = (_message, retry, thrown) => trouble(thrown, retry);

interface Round {
  readonly path: string;
  readonly abort: AbortController;
  /** Something changed while the answer was under way. */
  again: boolean;
  done: Promise<void>;
}

/**
 * Something on the server that an element shows: fetched when the element is in the page, and again whenever a domain
 * changes.
 *
 * @example
 * readonly #shelves = new Resource<Shelf[]>(this, { path: "/api/shelves", domains: ["shelves"] });
 * override render() { return this.#shelves.render((shelves) => html`…`); }
 */
export class Resource<T> implements ReactiveController {
  value: T | undefined;
  /** Why the newest answer did not come; the value before it stays. */
  error: unknown;
  readonly #host: ClientHost;
  readonly #options: ResourceOptions<T>;
  #path: string | undefined;
  /** The element stands in the page. Lit draws elements that have left it, too. */
  #isHere = false;
  /** It came into the page, or back into it, and nothing was fetched since. */
  #isStale = false;
  #round: Round | undefined;
  #held: Releasable[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: ClientHost, options: ResourceOptions<T>) {
    this.#host = host;
    this.#options = options;
    host.addController(this);
  }

  /** `error` as a sentence. */
  get message(): string | undefined {
    return this.error === undefined ? undefined : messageOf(this.error);
  }

  /** Resolves when no answer is under way any more. */
  get settled(): Promise<void> {
    return this.#round?.done ?? Promise.resolve();
  }

  /** The value as it is shown; until it is there, that one waits for it, or that it could not be fetched. */
  render(show: (value: T) => unknown, states: ResourceStates = {}): unknown {
    if (this.value !== undefined) return show(this.value);
    if (this.message !== undefined) return (states.failed ?? says)(this.message, () => void this.refresh(), this.error);
    return states.waiting ?? skeleton();
  }

  /**
   * Fetches again; while an answer is under way, once more after it, so that a stream of changes never starves the
   * page. Resolves when the newest answer is there, whether good or not.
   */
  refresh(): Promise<void> {
    const path = this.#path;
    if (path === undefined || !this.#isHere) return Promise.resolve();
    if (this.#round?.path !== path) return this.#begin(path);
    this.#round.again = true;
    return this.#round.done;
  }

  /** Shows what the server just said in answer to a change. */
  put(value: T): void {
    this.#stop();
    this.value = value;
    this.error = undefined;
    this.#host.requestUpdate();
  }

  hostConnected(): void {
    this.#isHere = true;
    this.#isStale = true;
    this.#host.requestUpdate();
  }

  hostUpdate(): void {
    if (!this.#isHere) return;
    if (this.#held.length === 0) this.#listen();
    const { path: wanted, keep } = this.#options;
    const path = typeof wanted === "string" ? wanted : wanted();
    const isOther = path !== this.#path;
    if (!isOther && !this.#isStale) return;
    this.#isStale = false;
    this.#path = path;
    if (isOther && !keep) this.value = undefined;
    if (isOther) this.error = undefined;
    if (path === undefined) this.#stop();
    else void this.#begin(path);
  }

  hostDisconnected(): void {
    for (const held of this.#held) void held.release();
    this.#held = [];
    this.#stop();
    this.#isHere = false;
  }

  #listen(): void {
    const { longbox } = this.#host;
    const { domains = [] } = this.#options;
    this.#held = (typeof domains === "function" ? domains() : domains).map((domain) =>
      longbox.onChanged(domain, () => this.#changed()),
    );
    // What failed because a plugin was off may work again now.
    this.#held.push(longbox.onChanged("plugins", () => this.error !== undefined && void this.refresh()));
  }

  #changed(): void {
    const { delayMs = 0 } = this.#options;
    if (delayMs === 0) return void this.refresh();
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.refresh();
    }, delayMs);
  }

  #stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#round?.abort.abort();
    this.#round = undefined;
  }

  #begin(path: string): Promise<void> {
    this.#stop();
    const round: Round = { path, abort: new AbortController(), again: false, done: Promise.resolve() };
    this.#round = round;
    return (round.done = this.#run(round));
  }

  async #run(round: Round): Promise<void> {
    do {
      round.again = false;
      await this.#fetch(round);
      // Callers that wait for this request wait for the one that replaced it.
      if (round.abort.signal.aborted) return this.#round?.done;
      this.#host.requestUpdate();
    } while (round.again);
    this.#round = undefined;
  }

  async #fetch({ path, abort: { signal } }: Round): Promise<void> {
    const { fetch = (from, of) => this.#host.longbox.api<T>(from, { signal: of }), arrived } = this.#options;
    try {
      const value = await fetch(path, signal);
      if (signal.aborted) return;
      this.value = value;
      this.error = undefined;
      arrived?.(value);
    } catch (thrown) {
      if (!signal.aborted) this.error = thrown;
    }
  }
}
