import { Readable } from "node:stream";
import type { Grant } from "../access/identifying/grant.js";

/** One domain that changed, and the position of the change in the history. */
export interface Change {
  readonly position: number;
  /** The position as it stands in ids of events. */
  readonly place: string;
  readonly domain: string;
  /** Whom it concerns; all users when undefined. */
  readonly userIds: ReadonlySet<number> | undefined;
}

/** What a stream begins with. */
export interface StreamBeginning {
  /** The place in the history from which on the client hears everything. */
  readonly place: string;
  /** How many events the client has heard before, also over other connections and runs of the server. */
  readonly heard: number;
  /** Whether changes may be missing before. */
  readonly isReset: boolean;
}

/** How long a client may take in nothing before it is cut off, in milliseconds. */
const stalledMs = 60_000;

/** How long a client may take to read what was left for it when its stream ended. */
const goingMs = 5_000;

/**
 * The stream to one client. It holds nothing but the latest change of each domain until the client takes it, so a
 * client that never reads costs as much as there are domains, and one that reads late hears each domain once.
 */
export class EventStream extends Readable {
  readonly grant: Grant;
  readonly #pending = new Map<string, Change>();
  /** Changes of domains that no plugin declares yet, as at the start of the server. */
  readonly #undeclared = new Map<string, Change>();
  readonly #beginning: string;
  #greeting: string;
  /**
   * The number of the last event, which is the end of its id: it increases by one for this client, whatever others
   * hear.
   */
  #number: number;
  #heartbeat = false;
  #wanted = false;
  #waitingSince = 0;

  constructor(grant: Grant, { place, heard, isReset }: StreamBeginning) {
    super({ highWaterMark: 4096 });
    this.grant = grant;
    this.#beginning = place;
    this.#number = heard;
    this.#greeting = `retry: 2000\n: hello\nid: ${place}-${heard}\n\n`;
    if (isReset) this.#greeting += this.#event("reset", place);
  }

  /**
   * Keeps changes until their domains are declared. Ids stay at the beginning so long: a client that comes back misses
   * none.
   */
  keep(changes: readonly Change[]): void {
    for (const change of changes) this.#undeclared.set(change.domain, change);
  }

  /** What was kept for domains that are declared now. */
  takeDeclared(isDeclared: (domain: string) => boolean): Change[] {
    const taken = [...this.#undeclared.values()].filter(({ domain }) => isDeclared(domain));
    for (const { domain } of taken) this.#undeclared.delete(domain);
    return taken;
  }

  /** Forgets what was kept for domains that nothing declares any more. */
  dropKept(): void {
    this.#undeclared.clear();
  }

  /** Tells of changes, all at once. */
  tell(changes: readonly Change[]): void {
    for (const change of changes) {
      // Later changes stand behind earlier ones, so that the last id that a client heard covers all before it.
      this.#pending.delete(change.domain);
      this.#pending.set(change.domain, change);
    }
    this.#flush();
  }

  /** Keeps proxies from closing the connection; cuts off a client that has stopped reading. */
  beat(now: number): void {
    if (!this.#wanted && this.#waitingSince > 0 && now - this.#waitingSince > stalledMs) return void this.destroy();
    this.#heartbeat = true;
    this.#flush();
  }

  /** @param returnMs - When the client should come back, if not in the usual time */
  end(returnMs?: number): void {
    if (returnMs !== undefined) this.push(`retry: ${returnMs}\n\n`, "utf8");
    this.push(null);
    const cutOff = setTimeout(() => this.destroy(), goingMs).unref();
    this.once("close", () => clearTimeout(cutOff));
  }

  override _read(): void {
    this.#wanted = true;
    this.#flush();
  }

  #flush(): void {
    if (!this.#wanted || this.readableEnded || this.destroyed) return;
    const text = this.#take();
    if (text === "") return;
    this.#wanted = this.push(text, "utf8");
    this.#waitingSince = this.#wanted ? 0 : Date.now();
  }

  #take(): string {
    let text = this.#greeting + (this.#heartbeat ? ": hb\n\n" : "");
    for (const { domain, place } of this.#pending.values()) text += this.#event(domain, place);
    this.#greeting = "";
    this.#heartbeat = false;
    this.#pending.clear();
    return text;
  }

  #event(name: string, place: string): string {
    this.#number += 1;
    const reached = this.#undeclared.size === 0 ? place : this.#beginning;
    return `event: ${name}\nid: ${reached}-${this.#number}\ndata: {"domain":${JSON.stringify(name)}}\n\n`;
  }
}
