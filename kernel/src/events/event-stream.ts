import { Readable } from "node:stream";
import type { Grant } from "../access/identifying/grant.js";

/** One domain that changed, and the number of the change. */
export interface Change {
  readonly id: number;
  readonly domain: string;
  /** Whom it concerns; everybody when undefined. */
  readonly userIds: ReadonlySet<number> | undefined;
  /** The event as it goes over the wire, made once for all clients. */
  readonly text: string;
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
  #greeting: string;
  #heartbeat = false;
  #wanted = false;
  #waitingSince = 0;

  constructor(grant: Grant, greeting: string) {
    super({ highWaterMark: 4096 });
    this.grant = grant;
    this.#greeting = greeting;
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
    for (const change of this.#pending.values()) text += change.text;
    this.#greeting = "";
    this.#heartbeat = false;
    this.#pending.clear();
    return text;
  }
}
