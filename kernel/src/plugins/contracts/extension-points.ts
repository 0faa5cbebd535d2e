import { CapabilityGone, releasable, type Contributions, type Releasable } from "@longbox/sdk";
import { runAs, type Attributed } from "../containment/attribution.js";
import { PendingCalls, type Callable } from "./pending-calls.js";
import { inject, injectable } from "../../injection.js";
import { FaultReports } from "../containment/fault-reports.js";

interface Contribution {
  readonly plugin: string;
  readonly contribution: object;
}

/** A contribution: hidden it is no longer listed, released its methods are refused too. */
export interface Contributed extends Callable {
  hide(): void;
}

/** What has been added to each extension point, whether or not it has been opened yet. */
@injectable()
export class ExtensionPoints {
  readonly #contributions = new Map<string, Contribution[]>();
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #faults: FaultReports;

  constructor(@inject(FaultReports) faults: FaultReports) {
    this.#faults = faults;
  }

  /** Adds an object. What the point's owner gets is revocable: its methods are refused once it has been released. */
  contribute(owner: Attributed, point: string, contribution: object): Contributed {
    const guarded = revocable(owner, point, contribution);
    const entry: Contribution = { plugin: owner.id, contribution: guarded.use };
    this.#change(point, (entries) => [...entries, entry].sort(byPlugin));
    const hide = () => this.#change(point, (entries) => entries.filter((other) => other !== entry));
    const made = releasable(() => {
      hide();
      guarded.revoke();
    });
    return { hide, ended: (limitMs) => guarded.ended(limitMs), release: () => made.release() };
  }

  /** A view of the point for its owner. Releasing it ends the owner's listeners. */
  open(owner: Attributed, point: string): Contributions<object> & Releasable {
    const held = new Set<Releasable>();
    const entries = () => this.#contributions.get(point) ?? [];
    return {
      entries,
      all: () => entries().map((entry) => entry.contribution),
      onChange: (listener) => {
        const heard = () => this.#hear(owner, point, listener);
        const listeners = this.#listenersOf(point);
        listeners.add(heard);
        const made = releasable(() => void (listeners.delete(heard), held.delete(made)));
        held.add(made);
        return made;
      },
      async release() {
        for (const made of [...held]) await made.release();
      },
    };
  }

  #hear(owner: Attributed, point: string, listener: () => void): void {
    const report = (fault: unknown) => this.#faults.report(owner.id, fault, `a listener of "${point}"`);
    try {
      void Promise.resolve(runAs(owner, listener)).catch(report);
    } catch (fault) {
      report(fault);
    }
  }

  #listenersOf(point: string): Set<() => void> {
    let listeners = this.#listeners.get(point);
    if (!listeners) this.#listeners.set(point, (listeners = new Set()));
    return listeners;
  }

  #change(point: string, change: (entries: Contribution[]) => Contribution[]): void {
    this.#contributions.set(point, change(this.#contributions.get(point) ?? []));
    for (const heard of [...this.#listenersOf(point)]) heard();
  }
}

function byPlugin(a: Contribution, b: Contribution): number {
  return a.plugin < b.plugin ? -1 : a.plugin > b.plugin ? 1 : 0;
}

/** Plain fields can always be read; methods run as code of the contributor, and are refused after it has stopped. */
function revocable(
  owner: Attributed,
  point: string,
  contribution: object,
): { use: object; revoke(): void; ended(limitMs: number): Promise<void> } {
  const pending = new PendingCalls();
  const methods = new Map<unknown, unknown>();
  let gone = false;
  const wrap =
    (method: (...parameters: unknown[]) => unknown) =>
    async (...parameters: unknown[]) => {
      if (gone) throw new CapabilityGone(point);
      return pending.track(() => runAs(owner, () => method.apply(contribution, parameters)));
    };
  const use = new Proxy(contribution, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== "function" || name === "constructor") return value;
      let method = methods.get(value);
      if (!method) methods.set(value, (method = wrap(value as (...parameters: unknown[]) => unknown)));
      return method;
    },
  });
  return {
    use,
    ended: (limitMs) => pending.ended(limitMs),
    revoke() {
      gone = true;
      pending.refuseAll(new CapabilityGone(point));
    },
  };
}
