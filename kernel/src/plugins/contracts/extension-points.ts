import { CapabilityGone, releasable, type Contributions, type ExtensionPoint, type Releasable } from "@longbox/sdk";
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
import { satisfies } from "./satisfying.js";
import { inject, injectable } from "../../injection.js";
import { FaultReports } from "../containment/fault-reports.js";

interface Contribution extends Added, Rank {
  readonly owner: Contributor;
  /** The versions of the point that it is made for. */
  readonly range: string;
}

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

/** A point as one plugin has opened it. */
interface Opening {
  readonly owner: Attributed;
  readonly version: string;
  readonly rules: Rules;
}

/** What a plugin adds to a point, before others see it. */
export interface Offered {
  readonly point: string;
  /** The versions of the point that it is made for. */
  readonly range: string;
  readonly contribution: object;
}

/**
 * A plugin adds to a point for other versions than the one that is open: for its owner, the contributions are not
 * there.
 */
export interface Misfit extends Pick<Offered, "point" | "range"> {
  readonly contributor: string;
  readonly opener: string;
  readonly version: string;
}

export const sayMisfit = ({ contributor, point, range, opener, version }: Misfit): string =>
  `"${contributor}" adds to "${point}" ${range}, and "${opener}" opens ${version}: what it adds is left out until the versions fit.`;

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
  readonly #openings = new Map<string, Set<Opening>>();
  /** The versions of a point for which a plugin has been told since its start that they do not fit. */
  readonly #told = new WeakMap<Contributor, Set<string>>();
  readonly #faults: FaultReports;
  #next = 1;

  constructor(@inject(FaultReports) faults: FaultReports) {
    this.#faults = faults;
  }

  /** Adds an object. What the point's owner gets is revocable: its methods are refused once it has been released. */
  contribute(owner: Contributor, { point, range, contribution }: Offered): Contributed {
    const guarded = revocable(owner, point, contribution);
    const rank = { isGuest: owner.isGuest, at: this.#next };
    const entry: Contribution = { plugin: owner.id, owner, range, contribution: guarded.use, ...rank };
    ranks.set(guarded.use, rank);
    this.#next += 1;
    this.#change(point, (entries) => [...entries, entry].sort(byPlugin));
    for (const opening of this.#openings.get(point) ?? [])
      for (const each of [entry, ...this.#displacedBy(entry, point, opening)]) void this.#report(point, opening, each);
    const hide = () => this.#change(point, (entries) => entries.filter((other) => other !== entry));
    const made = releasable(() => {
      hide();
      guarded.revoke();
    });
    return { hide, ended: (limitMs) => guarded.ended(limitMs), release: () => made.release() };
  }

  /**
   * The contributions to a point that are made for this version of it and that its owner's rules accept. Releasing the
   * view removes the owner's listeners and rules. A contribution that is left out is reported once.
   */
  open(
    owner: Attributed,
    { id: point, version }: Pick<ExtensionPoint<object>, "id" | "version">,
    rules: Rules = {},
  ): Contributions<object> & Releasable {
    const opening: Opening = { owner, version, rules };
    const held = new Set<Releasable>([this.#opened(point, opening)]);
    const view = this.#viewOf(point, opening);
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
      offered.map(async ({ point, range, contribution }, at) => {
        const openings = [...(this.#openings.get(point) ?? [])].filter(({ version }) => satisfies(version, range));
        const before = offered.slice(0, at).filter((other) => other.point === point);
        const own = before.map((other) => ({ plugin, contribution: other.contribution }));
        const found = openings.map((opening) => {
          const present = this.#fitting(point, opening).filter((entry) => entry.plugin !== plugin);
          // Whatever its name, a plugin that is new does not take the place of one that is there.
          const others = present.filter((entry) => isGuest || !entry.isGuest);
          return problemsBy(opening, contribution, [...others, ...own]);
        });
        const identity = openings.map(({ rules }) => identityIn(rules, contribution)).find((text) => text !== "") ?? "";
        return { identity, problems: [...new Set((await Promise.all(found)).flat())] };
      }),
    );
  }

  /** The points that are open in versions for which the contributions are not made: each of them once. */
  misfitsOf({ id: contributor }: Contributor, offered: readonly Offered[]): Misfit[] {
    const found = offered.flatMap(({ point, range }) =>
      [...(this.#openings.get(point) ?? [])]
        .filter(({ version }) => !satisfies(version, range))
        .map(({ owner, version }): Misfit => ({ contributor, point, range, opener: owner.id, version })),
    );
    return [...new Map(found.map((misfit) => [sayMisfit(misfit), misfit])).values()];
  }

  #opened(point: string, opening: Opening): Releasable {
    const present = this.#openings.get(point) ?? new Set();
    this.#openings.set(point, present.add(opening));
    for (const entry of this.#contributions.get(point) ?? []) void this.#report(point, opening, entry);
    return releasable(() => void present.delete(opening));
  }

  #fitting(point: string, { version }: Opening): readonly Contribution[] {
    return (this.#contributions.get(point) ?? none).filter(({ range }) => satisfies(version, range));
  }

  /** What the rules accept, found once for each list of contributions. */
  #viewOf(point: string, opening: Opening): () => View {
    const accepted = acceptedBy(opening.rules);
    let seen: readonly Contribution[] | undefined;
    let view: View = { entries: [], contributions: [] };
    return () => {
      const entries = this.#contributions.get(point) ?? none;
      if (entries === seen) return view;
      const kept = runAs(opening.owner, () => accepted(this.#fitting(point, opening)));
      view = {
        entries: kept.map(({ plugin, contribution }) => ({ plugin, contribution })),
        contributions: Object.freeze(kept.map(({ contribution }) => contribution)),
      };
      seen = entries;
      return view;
    };
  }

  /** What is left out from now on, since something that outranks it is alike. */
  #displacedBy(entry: Contribution, point: string, opening: Opening): Contribution[] {
    if (!satisfies(opening.version, entry.range)) return [];
    return this.#fitting(point, opening).filter(
      (other) => outranks(entry, other) && takenField(opening.rules, other.contribution, [entry]) !== undefined,
    );
  }

  async #report(point: string, opening: Opening, entry: Contribution): Promise<void> {
    const { plugin, contribution } = entry;
    if (!satisfies(opening.version, entry.range)) return this.#reportMisfit(point, opening, entry);
    const before = this.#fitting(point, opening).filter((other) => outranks(other, entry));
    const problems = await problemsBy(opening, contribution, before);
    if (problems.length === 0) return;
    const reason = `Its contribution to "${point}"${identityIn(opening.rules, contribution)} is left out: ${problems.join("; ")}.`;
    this.#faults.report(plugin, new Error(reason), `a contribution to "${point}"`);
  }

  /** Once for all that a plugin adds to the point. */
  #reportMisfit(point: string, { owner: { id: opener }, version }: Opening, { owner, range }: Contribution): void {
    const reason = sayMisfit({ contributor: owner.id, point, range, opener, version });
    const told = this.#told.get(owner) ?? new Set();
    if (told.has(reason)) return;
    this.#told.set(owner, told.add(reason));
    this.#faults.report(owner.id, new Error(reason), `a contribution to "${point}"`);
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
  { owner, rules }: Opening,
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
