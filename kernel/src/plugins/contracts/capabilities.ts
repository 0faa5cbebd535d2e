import { CapabilityGone, releasable, type OptionalCapability, type Releasable } from "@longbox/sdk";
import { currentOwner, runAs, type Attributed } from "../containment/attribution.js";
import { PendingCalls, type Callable } from "./pending-calls.js";
import { satisfies } from "./satisfying.js";
import { closableTarget, makeStandIn, type StandInTarget } from "./stand-in.js";
import { inject, injectable } from "../../injection.js";
import { FaultReports } from "../containment/fault-reports.js";

/** One provider's implementation while it is provided. */
interface Provision {
  readonly owner: Attributed;
  readonly version: string;
  readonly implementation: Record<string, unknown>;
  readonly pending: PendingCalls;
}

interface Subscription {
  readonly method: string;
  readonly parameters: readonly unknown[];
  readonly range: string;
  held: Releasable | undefined;
}

interface Slot {
  provision: Provision | undefined;
  readonly subscriptions: Set<Subscription>;
  readonly watchers: Set<() => void>;
}

/** Who provides which contract now, and the stand-ins through which others use it. */
@injectable()
export class Capabilities {
  readonly #slots = new Map<string, Slot>();
  readonly #faults: FaultReports;

  constructor(@inject(FaultReports) faults: FaultReports) {
    this.#faults = faults;
  }

  /**
   * Installs an implementation, replacing an earlier one: subscriptions move over, calls under way end
   * where they began. Releasing it refuses the calls that are still under way.
   */
  provide(
    owner: Attributed,
    { capability, version, implementation }: { capability: string; version: string; implementation: object },
  ): Callable {
    const slot = this.#slot(capability);
    const provision: Provision = {
      owner,
      version,
      implementation: implementation as Record<string, unknown>,
      pending: new PendingCalls(),
    };
    this.#occupy(slot, provision);
    const made = releasable(() => {
      if (slot.provision === provision) this.#occupy(slot, undefined);
      provision.pending.refuseAll(new CapabilityGone(capability));
    });
    return { ended: (limitMs) => provision.pending.ended(limitMs), release: () => made.release() };
  }

  /** The version provided now, or undefined. */
  provided(capability: string): string | undefined {
    return this.#slots.get(capability)?.provision?.version;
  }

  /**
   * A stand-in for one consumer. Releasing it ends the consumer's subscriptions and refuses its further calls.
   * @param refused - called for each of these
   */
  standIn(capability: string, range: string, refused = () => {}): { readonly use: object } & Releasable {
    const target = closableTarget(capability, this.#target(capability, range), refused);
    return { use: makeStandIn(capability, target), release: () => target.release() };
  }

  /** A stand-in for a capability that may be absent. */
  optional(capability: string, range: string, refused = () => {}): OptionalCapability<object> & Releasable {
    const slot = this.#slot(capability);
    const standIn = this.standIn(capability, range, refused);
    const available = () => fits(slot.provision, range);
    const held = new Set<Releasable>();
    const asSubscriber = (listener: (available: boolean) => void) =>
      this.#asSubscriber(capability, listener) as typeof listener;
    return {
      use: standIn.use,
      available,
      onAvailability(listener) {
        let last = available();
        const tell = asSubscriber(listener);
        const watch = () => {
          if (available() === last) return;
          tell((last = available()));
        };
        slot.watchers.add(watch);
        const made = releasable(() => void (slot.watchers.delete(watch), held.delete(made)));
        held.add(made);
        return made;
      },
      async release() {
        for (const made of [...held]) await made.release();
        await standIn.release();
      },
    };
  }

  #slot(capability: string): Slot {
    let slot = this.#slots.get(capability);
    if (!slot)
      this.#slots.set(capability, (slot = { provision: undefined, subscriptions: new Set(), watchers: new Set() }));
    return slot;
  }

  #target(capability: string, range: string): StandInTarget {
    const slot = this.#slot(capability);
    return {
      call(method, parameters) {
        const { provision } = slot;
        if (!fits(provision, range)) return Promise.reject(new CapabilityGone(capability));
        return provision.pending.track(() => runAs(provision.owner, () => invoke(provision, method, parameters)));
      },
      subscribe: (method, parameters) => {
        const subscription: Subscription = {
          method,
          parameters: parameters.map((parameter) => this.#asSubscriber(capability, parameter)),
          range,
          held: undefined,
        };
        slot.subscriptions.add(subscription);
        this.#attach(slot, subscription);
        return releasable(() => {
          slot.subscriptions.delete(subscription);
          return subscription.held?.release();
        });
      },
    };
  }

  /** A listener runs as its subscriber, and what it throws is the subscriber's fault: the provider and others go on. */
  #asSubscriber(capability: string, parameter: unknown): unknown {
    if (typeof parameter !== "function") return parameter;
    const owner = currentOwner();
    return (...told: unknown[]): unknown => {
      try {
        return runAs(owner, () => parameter(...told) as unknown);
      } catch (fault) {
        this.#faults.report(owner?.id ?? "kernel", fault, `a listener of "${capability}"`);
        return undefined;
      }
    };
  }

  #occupy(slot: Slot, provision: Provision | undefined): void {
    const previous = slot.provision;
    slot.provision = provision;
    for (const subscription of slot.subscriptions) {
      this.#detach(previous, subscription);
      this.#attach(slot, subscription);
    }
    for (const watch of [...slot.watchers]) this.#guard(provision ?? previous, "an availability listener", watch);
  }

  #attach(slot: Slot, subscription: Subscription): void {
    const provision = slot.provision;
    if (!provision || !fits(provision, subscription.range)) return;
    this.#guard(provision, subscription.method, () => {
      const subscribe = () => invoke(provision, subscription.method, subscription.parameters);
      subscription.held = runAs(provision.owner, subscribe) as Releasable;
    });
  }

  #detach(provision: Provision | undefined, subscription: Subscription): void {
    const held = subscription.held;
    subscription.held = undefined;
    this.#guard(provision, subscription.method, () => held?.release());
  }

  /** One side's failure must not keep the other side's listeners from hearing. */
  #guard(provision: Provision | undefined, where: string, work: () => void | Promise<void>): void {
    const report = (fault: unknown) => this.#faults.report(provision?.owner.id ?? "kernel", fault, where);
    try {
      void Promise.resolve(work()).catch(report);
    } catch (fault) {
      report(fault);
    }
  }
}

/** Which ranges each provision fits; it is asked at every call. */
const judged = new WeakMap<Provision, Map<string, boolean>>();

function fits(provision: Provision | undefined, range: string): provision is Provision {
  if (provision === undefined) return false;
  let ranges = judged.get(provision);
  if (!ranges) judged.set(provision, (ranges = new Map()));
  let fitting = ranges.get(range);
  if (fitting === undefined) ranges.set(range, (fitting = satisfies(provision.version, range)));
  return fitting;
}

function invoke(provision: Provision, method: string, parameters: readonly unknown[]): unknown {
  const { implementation, owner } = provision;
  const found = implementation[method];
  if (typeof found !== "function") throw new TypeError(`The plugin "${owner.id}" provides no method "${method}".`);
  return Reflect.apply(found, implementation, parameters);
}
