import { releasable, type Contributions, type ExtensionPoint, type Releasable } from "@longbox/sdk";
import { sayProblem } from "../../../parsing/input-problems.js";
import { acceptedBy, type Rules } from "../../contracts/contribution-rules.js";
import type { Contributed } from "../agreement.js";
import type { Channel } from "../wire/channel.js";
import { accessorsOf, fieldsOf, methodsAsOwn, valuesOf } from "../wire/methods.js";

/** How often values of accessors are looked at, besides whenever something happened in the plugin. */
const lookEveryMs = 500;

interface Live {
  readonly number: number;
  readonly contribution: object;
  told: string;
}

interface Typed<T> {
  readonly plugin: string;
  readonly contribution: T;
}

/** The kernel sends the fields of a contribution, and the names of its methods. */
function judgeBy({ schema }: Rules) {
  return async (fields: object, methods: readonly string[]) => {
    const contribution = { ...Object.fromEntries(methods.map((name) => [name, () => undefined])), ...fields };
    const issues = schema?.safeParse(contribution, { error: sayProblem }).error?.issues ?? [];
    return issues.map(({ path, message }) => ({ path: path.map(String), message }));
  };
}

/** Extension points: what others have added to the plugin's own, and what it adds to those of others. */
export class InnerPoints {
  readonly #channel: Channel;
  readonly #entries = new Map<string, readonly Contributed[]>();
  readonly #listeners = new Map<string, Set<() => void>>();
  readonly #live = new Set<Live>();
  #next = 1;
  #looking: NodeJS.Timeout | undefined;

  constructor(channel: Channel, contributions: Readonly<Record<string, readonly Contributed[]>>) {
    this.#channel = channel;
    for (const [point, entries] of Object.entries(contributions)) this.#entries.set(point, entries);
  }

  /** The kernel says what has been added to a point. */
  tell(point: string, entries: readonly Contributed[]): void {
    this.#entries.set(point, entries);
    for (const listener of [...(this.#listeners.get(point) ?? [])]) listener();
  }

  open<T extends object>({ id: point, version }: ExtensionPoint<T>, rules?: Rules): Contributions<T> & Releasable {
    const listeners = this.#listeners.get(point) ?? new Set();
    this.#listeners.set(point, listeners);
    if (rules) this.#channel.tell("judge", [{ id: point, version }, rules.unique, judgeBy(rules)], { rule: "all" });
    const accepted = rules && acceptedBy(rules);
    // Contributions are kept by the id of their point; its token is the only thing that knows their type.
    const entries = () => {
      const all = this.#entries.get(point) ?? [];
      const kept = accepted?.(all) ?? all;
      return kept.map(({ plugin, contribution }): Typed<T> => ({ plugin, contribution: contribution as T }));
    };
    return {
      entries,
      all: () => entries().map(({ contribution }) => contribution),
      onChange(listener) {
        const own = () => listener();
        listeners.add(own);
        return releasable(() => void listeners.delete(own));
      },
      release: () => listeners.clear(),
    };
  }

  contribute({ id, version }: ExtensionPoint<object>, contribution: object): Releasable {
    const number = this.#next;
    this.#next += 1;
    const accessors = accessorsOf(contribution);
    const rule = { rule: "all", place: `The contribution to ${id}` } as const;
    const parts = { fields: fieldsOf(contribution), methods: methodsAsOwn(contribution) };
    this.#channel.tell("contribute", [number, { id, version }, parts], rule);
    const live: Live = { number, contribution, told: JSON.stringify(valuesOf(contribution, accessors)) };
    if (accessors.length > 0) this.#watch(live);
    return releasable(() => {
      this.#live.delete(live);
      this.#channel.tell("withdraw", [number]);
    });
  }

  /** Tells the values of accessors that are different from what was told. */
  refresh(): void {
    for (const live of this.#live) {
      const values = valuesOf(live.contribution, accessorsOf(live.contribution));
      const text = JSON.stringify(values);
      if (text === live.told) continue;
      live.told = text;
      this.#channel.tell("refresh", [live.number, values]);
    }
  }

  release(): void {
    clearInterval(this.#looking);
  }

  #watch(live: Live): void {
    this.#live.add(live);
    this.#looking ??= setInterval(() => this.refresh(), lookEveryMs).unref();
  }
}
