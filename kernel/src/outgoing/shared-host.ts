import {
  HostFailure,
  pause,
  retryAfterSeconds,
  type HostLimits,
  type HostRequest,
  type HostState,
  type OutgoingHost,
} from "@longbox/sdk";
import PQueue from "p-queue";
import { HostBudget } from "./host-budget.js";
import { HostRest } from "./host-rest.js";
import type { OutgoingDoors } from "./outgoing.js";

const usualAtOnce = 4;

/** What all plugins share of one other server: its budget, its rest, and the line before it. */
export class SharedHost {
  readonly name: string;
  readonly #queue = new PQueue({ concurrency: usualAtOnce });
  readonly #limits = new Map<object, HostLimits>();
  readonly #budget: HostBudget;
  readonly #rest: HostRest;
  #lastAtMs = 0;
  #strictest: HostLimits = {};

  constructor(name: string) {
    this.name = name;
    this.#budget = new HostBudget(name, () => this.#strictest);
    this.#rest = new HostRest(name);
  }

  /** What one plugin asks for; left out, it asks for nothing any more. */
  limit(plugin: object, limits: HostLimits | undefined): void {
    if (limits) this.#limits.set(plugin, limits);
    else this.#limits.delete(plugin);
    const all = [...this.#limits.values()];
    const least = (of: (one: HostLimits) => number | undefined) =>
      all.map(of).reduce((one, other) => (one === undefined ? other : Math.min(one, other ?? one)), undefined);
    const [atOnce, perHour] = [least((one) => one.atOnce), least((one) => one.perHour)];
    const spacingMs = Math.max(0, ...all.map((one) => one.spacingMs ?? 0));
    this.#strictest = { spacingMs, ...(perHour === undefined ? {} : { perHour }) };
    this.#queue.concurrency = atOnce ?? usualAtOnce;
  }

  /** As one plugin sees it. */
  seenBy({ fetch, stream }: OutgoingDoors, stopping: AbortSignal): OutgoingHost {
    const run = <T>(ask: () => Promise<T>, request: HostRequest = {}) => {
      stopping.throwIfAborted();
      return this.#run(ask, request);
    };
    return {
      name: this.name,
      run,
      state: () => this.state(),
      reset: () => this.#rest.forget(),
      fetch: (url, { urgency, kind, ...init } = {}) =>
        judged(run, () => fetch(url, init), { urgency, kind, signal: init.signal }),
      stream: (url, { urgency, kind, ...options } = {}) =>
        judged(run, () => stream(url, options), { urgency, kind, signal: options.signal }),
    };
  }

  /** Nothing would be lost if it were forgotten. */
  get idle(): boolean {
    return this.#limits.size === 0 && !this.#rest.state && this.#queue.size + this.#queue.pending === 0;
  }

  state(): HostState {
    return { host: this.name, resting: this.#rest.state, waiting: this.#queue.size, running: this.#queue.pending };
  }

  async #run<T>(ask: () => Promise<T>, request: HostRequest): Promise<T> {
    this.#check(request);
    const turn = async () => {
      this.#check(request);
      await this.#spaceOut(request.signal);
      this.#budget.count(request);
      return await this.#rest.guard(ask);
    };
    const options = {
      priority: request.urgency === "background" ? 0 : 1,
      ...(request.signal && { signal: request.signal }),
    };
    return (await this.#queue.add(turn, options)) as T;
  }

  #check(request: HostRequest): void {
    this.#rest.check();
    this.#budget.check(request);
  }

  async #spaceOut(signal: AbortSignal | undefined): Promise<void> {
    const { spacingMs = 0 } = this.#strictest;
    const atMs = Math.max(Date.now(), this.#lastAtMs + spacingMs);
    this.#lastAtMs = atMs;
    await pause(atMs - Date.now(), signal);
  }
}

type Run = (ask: () => Promise<void>, request: HostRequest) => Promise<void>;
type Asked = { readonly [K in keyof HostRequest]: HostRequest[K] | null | undefined };

/** Every answer is given to the plugin; one of an overloaded server counts against the host as well. */
async function judged<A extends Pick<Response, "status" | "headers">>(
  run: Run,
  ask: () => Promise<A>,
  { urgency, kind, signal }: Asked,
): Promise<A> {
  let answer: A | undefined;
  const request = { ...(urgency && { urgency }), ...(typeof kind === "string" && { kind }), ...(signal && { signal }) };
  const asking = async () => {
    answer = await ask();
    refuseOverloaded(answer);
  };
  await run(asking, request).catch((fault: unknown) => {
    if (answer === undefined) throw fault;
  });
  return answer!;
}

function refuseOverloaded({ status, headers }: Pick<Response, "status" | "headers">): void {
  if (status !== 429 && status < 500) return;
  const wait = retryAfterSeconds(headers.get("retry-after"));
  throw new HostFailure(`It answers ${status}.`, wait === undefined ? {} : { retryAfterSeconds: wait });
}
