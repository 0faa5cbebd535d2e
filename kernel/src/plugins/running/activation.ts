import { releasable, within, type Releasable } from "@longbox/sdk";
import { ownImmediate, withOwnTimers } from "../../own-timers.js";
import { isThenable } from "../../thenable.js";
import type { RouteOwner } from "../../http/routing/mounting.js";
import { runAs } from "../containment/attribution.js";
import { LeftOpen } from "../containment/left-open.js";
import { isHousePackage } from "../packages/package-names.js";
import { PluginStopped } from "./plugin-stopped.js";
import type { PluginOnDisk } from "../packages/plugin-package.js";
import { inject, injectable } from "../../injection.js";
import { FaultReports } from "../containment/fault-reports.js";
import { RefusedCalls } from "../containment/refused-calls.js";
import { ActivatedPlugin } from "./activated.js";
import { endThing, OwnedThings, type Ownable } from "./owned-things.js";

/** How long one thing may take to be released before the kernel goes on without it. */
const releaseLimitMs = 5_000;

/** One run of one version of a plugin: everything it holds, and what runs on its behalf. */
@injectable()
export class Activation implements RouteOwner {
  readonly id: string;
  readonly plugin: PluginOnDisk;
  /** Resources that it opened without the kernel. */
  readonly leftOpen: LeftOpen;
  /** Names of the resources that the kernel had to close at the end. */
  closedForIt: readonly string[] = [];
  /** Everything has been released. */
  isOver = false;
  readonly #things = new OwnedThings();
  readonly #abort = new AbortController();
  #inFlight = 0;
  #idle: (() => void)[] = [];
  #handling = 0;
  #handled: (() => void)[] = [];
  #held: Promise<void> | undefined;
  #released: Promise<void> | undefined;

  constructor(
    @inject(ActivatedPlugin) plugin: PluginOnDisk,
    @inject(FaultReports) private readonly faults: FaultReports,
    @inject(RefusedCalls) private readonly refusedCalls: RefusedCalls,
  ) {
    this.id = plugin.id;
    this.plugin = plugin;
    this.leftOpen = new LeftOpen(plugin.folder);
  }

  get basePaths(): readonly string[] {
    return this.plugin.manifest.basePaths;
  }

  get isGuest(): boolean {
    return !this.plugin.linked && !isHousePackage(this.plugin.package);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Requests whose answers have not been sent completely. */
  get inFlight(): number {
    return this.#inFlight;
  }

  get held(): Promise<void> | undefined {
    return this.#held;
  }

  /** Makes new requests wait until it is released. */
  hold(): Releasable {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#held = promise;
    return releasable(() => {
      this.#held = undefined;
      resolve();
    });
  }

  /** Runs the handler of a request. Sending the answer may take longer. */
  handle<T>(work: () => T | Promise<T>): T | Promise<T> {
    this.#handling += 1;
    let result: T | Promise<T>;
    try {
      result = work();
    } catch (thrown) {
      this.#handledOne();
      throw thrown;
    }
    if (isThenable(result)) return this.#untilHandled(result);
    this.#handledOne();
    return result;
  }

  async #untilHandled<T>(result: PromiseLike<T>): Promise<T> {
    try {
      return await result;
    } finally {
      this.#handledOne();
    }
  }

  #handledOne(): void {
    this.#handling -= 1;
    if (this.#handling === 0) for (const wake of this.#handled.splice(0)) wake();
  }

  /** Settles once no handler runs, or after the limit. */
  handled(limitMs: number): Promise<void> {
    if (this.#handling === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, limitMs);
      this.#handled.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    this.#inFlight += 1;
    try {
      return await runAs(this, work);
    } finally {
      this.#inFlight -= 1;
      if (this.#inFlight === 0) for (const wake of this.#idle.splice(0)) wake();
    }
  }

  /** What first went wrong in this run outside of `activate`. */
  firstFault: unknown;

  reportFault(fault: unknown, where: string): void {
    this.firstFault ??= fault;
    this.faults.report(this.id, fault, where);
  }

  /** Settles once no request is under way, or after the limit; says which. */
  drained(limitMs: number): Promise<boolean> {
    if (this.#inFlight === 0) return Promise.resolve(true);
    return new Promise((resolve) => {
      const timer = setTimeout(() => resolve(false), limitMs);
      this.#idle.push(() => {
        clearTimeout(timer);
        resolve(true);
      });
    });
  }

  /** Owns a resource until the activation ends. After the end it is released at once. */
  own<T extends Ownable>(thing: T): T {
    if (this.#released) void this.#release(thing);
    this.refuseStopped();
    return this.#things.add(thing);
  }

  /** Owns a handle that the kernel made, until it is released or the activation ends. */
  ownUntilReleased<T extends Releasable>(handle: T): T {
    return this.own(this.#things.forgetting(handle));
  }

  /** For a thing that it owned and that has ended by itself. */
  disown(thing: Ownable): void {
    this.#things.forget(thing);
  }

  /** The error for what is asked of this run after its end; it is counted. */
  stopped(): PluginStopped {
    this.noteRefused();
    return new PluginStopped(this.id);
  }

  /** Something was asked of this run, or of what it had opened, after it was over. */
  noteRefused(): void {
    this.refusedCalls.add(this.id);
  }

  /** @throws {LongboxError} `kernel/plugin-stopped` once this run is over */
  refuseStopped(): void {
    if (this.#released) throw this.stopped();
  }

  /**
   * Ends everything, newest first. Failures are reported and do not stop the rest. The container of the activation
   * calls it.
   */
  dispose(): Promise<void> {
    this.#released ??= runAs(this, () => this.#releaseAll());
    return this.#released;
  }

  async #releaseAll(): Promise<void> {
    this.#abort.abort(new PluginStopped(this.id));
    await this.#things.releaseAll((thing) => this.#release(thing));
    // Resources that were just closed properly disappear after one turn of the event loop.
    await new Promise<void>((resolve) => ownImmediate(resolve));
    this.closedForIt = this.leftOpen.closeAll();
    this.isOver = true;
  }

  async #release(thing: Ownable): Promise<void> {
    try {
      const done = endThing(thing);
      if (done) await withOwnTimers(() => within(done, { limitMs: releaseLimitMs, failure: notReleased }));
    } catch (fault) {
      this.faults.report(this.id, fault, "releasing what it held");
    }
  }
}

const notReleased = () => new Error(`It was not released within ${releaseLimitMs} ms.`);
