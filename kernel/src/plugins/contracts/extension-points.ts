import { CapabilityGone, releasable, type Contributions, type Releasable } from "@longbox/sdk";
import { runAs, type Attributed } from "../containment/attribution.js";
import {
  acceptedBy,
  identityIn,
  outranks,
  problemsAsked,
  takenField,
  type Added,
  type Rank,
  type Rules,
} from "./contribution-rules.js";
import { PendingCalls, type Callable } from "./pending-calls.js";
import { inject, injectable } from "../../injection.js";
import { FaultReports } from "../containment/fault-reports.js";

type Contribution = Added & Rank;

/** A plugin, and whether its package is not of the house. */
type Contributor = Attributed & Pick<Rank, "isGuest">;

/** The rank of each contribution, by the object that the owner of its point receives. */
const ranks = new WeakMap<object, Rank>();

/** The rank of a contribution as the owner of its point gets it. */
export const rankOf = (contribution: object): Rank => ranks.get(contribution) ?? { isGuest: true, at: 0 };

/** What the owner of a point sees: the same objects until something changes. */
interface View {
  readonly entries: readonly Added[];
  readonly contributions: readonly object[];
}

interface OwnedRules {
  readonly owner: Attributed;
  readonly rules: Rules;
}

/** What a plugin adds to a point, before others see it. */
export interface Offered {
  readonly point: string;
  readonly contribution: object;
}

/** A contribution: hidden it is no longer listed, released its methods are refused too. */
export interface Contributed extends Callable {
  hide(): void;
}

/** What the owner of a point says against a contribution; no problems where it has nothing against it. */
interface Refusal {
  /** By what it can be told from others, after its point: ` with the key "files.scan"`. */
  readonly identity: string;
  readonly problems: readonly string[];
}

/** What has been added to each extension point, whether or not it has been opened yet. */
@injectable()
export class ExtensionPoints {
  readonly #contributions = new Map<string, Contribution[]>();
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #rules = new Map<string, Set<OwnedRules>>();
  readonly #faults: FaultReports;
  #next = 1;

  constructor(@inject(FaultReports) faults: FaultReports) {
    this.#faults = faults;
  }

  /** Adds an object. What the point's owner gets is revocable: its methods are refused once it has been released. */
  contribute(owner: Contributor, point: string, contribution: object): Contributed {
    const guarded = revocable(owner, point, contribution);
    const rank = { isGuest: owner.isGuest, at: this.#next };
    const entry: Contribution = { plugin: owner.id, contribution: guarded.use, ...rank };
    ranks.set(guarded.use, rank);
    this.#next += 1;
    this.#change(point, (entries) => [...entries, entry].sort(byPlugin));
    for (const owned of this.#rules.get(point) ?? [])
      for (const each of [entry, ...this.#displacedBy(entry, point, owned)]) void this.#report(point, owned, each);
    const hide = () => this.#change(point, (entries) => entries.filter((other) => other !== entry));
    const made = releasable(() => {
      hide();
      guarded.revoke();
    });
    return { hide, ended: (limitMs) => guarded.ended(limitMs), release: () => made.release() };
  }

  /**
   * The contributions to a point that its owner's rules accept. Releasing the view removes the owner's listeners and rules.
   * A contribution that is left out is reported once.
   */
  open(owner: Attributed, point: string, rules?: Rules): Contributions<object> & Releasable {
    const held = new Set<Releasable>();
    if (rules) held.add(this.#rule(point, { owner, rules }));
    const view = this.#viewOf(owner, point, rules);
    return {
      entries: () => view().entries,
      all: () => view().contributions,
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

  /**
   * What the owners of points that are open say against contributions of a plugin.
   * @returns of each what is wrong with it
   */
  async problemsOf({ id: plugin, isGuest }: Contributor, offered: readonly Offered[]): Promise<Refusal[]> {
    return Promise.all(
      offered.map(async ({ point, contribution }, at) => {
        const before = offered.slice(0, at).filter((other) => other.point === point);
        const own = before.map((other) => ({ plugin, contribution: other.contribution }));
        const present = (this.#contributions.get(point) ?? []).filter((entry) => entry.plugin !== plugin);
        // Whatever its name, a plugin that is new does not take the place of one that is there.
        const others = present.filter((entry) => isGuest || !entry.isGuest);
        const rules = [...(this.#rules.get(point) ?? [])];
        const found = rules.map((owned) => problemsBy(owned, contribution, [...others, ...own]));
        const identity = rules.map((owned) => identityIn(owned.rules, contribution)).find((text) => text !== "") ?? "";
        return { identity, problems: [...new Set((await Promise.all(found)).flat())] };
      }),
    );
  }

  #rule(point: string, owned: OwnedRules): Releasable {
    const present = this.#rules.get(point) ?? new Set();
    this.#rules.set(point, present.add(owned));
    for (const entry of this.#contributions.get(point) ?? []) void this.#report(point, owned, entry);
    return releasable(() => void present.delete(owned));
  }

  /** What the rules accept, found once for each list of contributions. */
  #viewOf(owner: Attributed, point: string, rules: Rules | undefined): () => View {
    const accepted = rules && acceptedBy(rules);
    let seen: readonly Contribution[] | undefined;
    let view: View = { entries: [], contributions: [] };
    return () => {
      const entries = this.#contributions.get(point) ?? none;
      if (entries === seen) return view;
      const kept = accepted ? runAs(owner, () => accepted(entries)) : entries;
      view = {
        entries: kept.map(({ plugin, contribution }) => ({ plugin, contribution })),
        contributions: Object.freeze(kept.map(({ contribution }) => contribution)),
      };
      seen = entries;
      return view;
    };
  }

  /** What is left out from now on, since something that outranks it is alike. */
  #displacedBy(entry: Contribution, point: string, { rules }: OwnedRules): Contribution[] {
    return (this.#contributions.get(point) ?? []).filter(
      (other) => outranks(entry, other) && takenField(rules, other.contribution, [entry]) !== undefined,
    );
  }

  async #report(point: string, owned: OwnedRules, entry: Contribution): Promise<void> {
    const { plugin, contribution } = entry;
    const before = (this.#contributions.get(point) ?? []).filter((other) => outranks(other, entry));
    const problems = await problemsBy(owned, contribution, before);
    if (problems.length === 0) return;
    const reason = `Its contribution to "${point}"${identityIn(owned.rules, contribution)} is left out: ${problems.join("; ")}.`;
    this.#faults.report(plugin, new Error(reason), `a contribution to "${point}"`);
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

const none: readonly Contribution[] = [];

async function problemsBy(
  { owner, rules }: OwnedRules,
  contribution: object,
  others: readonly Added[],
): Promise<string[]> {
  const problems = await runAs(owner, () => problemsAsked(rules, contribution));
  const taken = takenField(rules, contribution, others);
  return [...problems, ...(taken === undefined ? [] : [taken])];
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
