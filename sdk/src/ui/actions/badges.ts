import type { ReactiveController } from "lit";
import type { BadgedFacts } from "../../client.js";
import type { Releasable } from "../../releasable.js";
import type { ClientHost } from "../resource.js";

/**
 * While things keep coming, as in a list that is scrolled fast, badges wait until it rests this long, in milliseconds …
 */
const restMs = 120;
/** … but no longer than this. */
const mostMs = 600;
const nothingSaid: BadgedFacts = { badges: [], facts: {} };

/**
 * The badges of the things that an element shows. Call it for each thing while rendering. Missing badges are fetched
 * after the render, in one request for all of them once no more come, and again when a plugin announces that its badges
 * changed.
 */
export class Badges implements ReactiveController {
  readonly #host: ClientHost;
  readonly #kind: string;
  readonly #known = new Map<number, BadgedFacts>();
  #asked = new Set<number>();
  #isStale = false;
  #isFetching = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #waitsSince: number | undefined;
  #held: Releasable | undefined;

  constructor(host: ClientHost, kind: string) {
    this.#host = host;
    this.#kind = kind;
    host.addController(this);
  }

  of(id: number): BadgedFacts {
    this.#asked.add(id);
    return this.#known.get(id) ?? nothingSaid;
  }

  hostConnected(): void {
    this.#isStale = true;
  }

  hostUpdate(): void {
    this.#asked = new Set();
    this.#held ??= this.#host.longbox.onOffersChanged(() => {
      this.#isStale = true;
      this.#host.requestUpdate();
    });
  }

  hostUpdated(): void {
    if (this.#isFetching || this.#wanted().length === 0) return;
    const now = performance.now();
    this.#waitsSince ??= now;
    const isFirst = this.#known.size === 0;
    clearTimeout(this.#timer);
    if (isFirst) return void this.#fetch();
    this.#timer = setTimeout(() => void this.#fetch(), Math.min(restMs, Math.max(0, this.#waitsSince + mostMs - now)));
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer);
    void this.#held?.release();
    this.#held = undefined;
  }

  #wanted(): readonly number[] {
    return [...this.#asked].filter((id) => this.#isStale || !this.#known.has(id));
  }

  async #fetch(): Promise<void> {
    const wanted = this.#wanted();
    if (wanted.length === 0 || this.#isFetching) return;
    this.#isFetching = true;
    this.#waitsSince = undefined;
    this.#isStale = false;
    try {
      const found = await this.#host.longbox.badges(this.#kind, wanted);
      for (const id of wanted) this.#known.set(id, found.get(id) ?? nothingSaid);
    } catch {
      // Badges are optional: the page works without them, and they are fetched again when something changes.
      for (const id of wanted) this.#known.set(id, this.#known.get(id) ?? nothingSaid);
    }
    this.#isFetching = false;
    this.#host.requestUpdate();
  }
}
