import type { RequestCause } from "./request-cause.js";

/** How many different requests must fail before the plugin counts as faulty. */
const leastRequesters = 5;
const leastNetworks = 2;
/** The most requesters that are remembered for a plugin; the least recent one is forgotten. */
const mostRequesters = 200;

interface Requester {
  readonly network: string;
  /** When each input last failed, in milliseconds; the latest is last. */
  readonly inputs: Map<string, number>;
}

/**
 * The faults of one plugin that requests caused. One requester, one network or one input never suffices, however often
 * it fails: such errors are the request's, not the plugin's.
 */
export class RequestFaults {
  readonly #requesters = new Map<string, Requester>();
  readonly #count: number;
  readonly #withinMs: number;

  /** @param count - Failures, each of another requester or input, that are too many */
  constructor(count: number, withinMs: number) {
    this.#count = count;
    this.#withinMs = withinMs;
  }

  /** @returns whether enough different requests have failed to count the plugin as faulty */
  add(cause: RequestCause, now: number): boolean {
    const name = cause.requester;
    const requester = this.#requesters.get(name) ?? { network: cause.network, inputs: new Map<string, number>() };
    requester.inputs.delete(cause.input);
    requester.inputs.set(cause.input, now);
    dropOldest(requester.inputs, this.#mostInputs);
    this.#requesters.delete(name);
    this.#requesters.set(name, requester);
    dropOldest(this.#requesters, mostRequesters);
    return this.#areTooMany(now - this.#withinMs);
  }

  clear(): void {
    this.#requesters.clear();
  }

  /** Limits how much one requester adds to the count. */
  get #mostInputs(): number {
    return Math.ceil(this.#count / leastRequesters);
  }

  #areTooMany(since: number): boolean {
    const networks = new Set<string>();
    const inputs = new Set<string>();
    let requesters = 0;
    let failures = 0;
    for (const requester of this.#requesters.values()) {
      const recent = [...requester.inputs].filter(([, at]) => at > since);
      if (recent.length === 0) continue;
      requesters += 1;
      failures += recent.length;
      networks.add(requester.network);
      for (const [input] of recent) inputs.add(input);
    }
    return (
      failures >= this.#count &&
      requesters >= leastRequesters &&
      inputs.size >= leastRequesters &&
      networks.size >= leastNetworks
    );
  }
}

function dropOldest(map: Map<string, unknown>, most: number): void {
  for (const oldest of map.keys()) {
    if (map.size <= most) return;
    map.delete(oldest);
  }
}
