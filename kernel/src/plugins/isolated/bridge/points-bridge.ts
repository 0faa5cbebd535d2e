import { releasable, within, type Contributions, type PluginContext, type Releasable } from "@longbox/sdk";
import { z } from "zod";
import { askedElsewhere } from "../../contracts/contribution-rules.js";
import { rankOf } from "../../contracts/extension-points.js";
import type { Contributed } from "../agreement.js";
import type { Channel, Doors } from "../wire/channel.js";
import { fieldsOf, methodsAsOwn, methodsOf } from "../wire/methods.js";
import type { Following } from "./route-bridge.js";

interface ToldContribution {
  readonly fields: object;
  readonly methods: object;
}

interface Added {
  readonly contribution: Record<string, unknown>;
  readonly made: Releasable;
}

/** Extension points of an isolated plugin, in both directions. */
export class PointsBridge {
  readonly #added = new Map<number, Added>();
  readonly #opened = new Map<string, Contributions<object>>();
  /** What the process says of the contributions that it takes, by the ids of the points. */
  readonly #rules = new Map<string, Releasable>();
  /** What crosses in place of a contribution: the same for as long as it is there. */
  readonly #told = new WeakMap<object, object>();

  constructor(
    private readonly context: PluginContext,
    private readonly channel: () => Channel,
  ) {}

  readonly doors: Doors = {
    contribute: (number: number, point: { id: string; version: string }, { fields, methods }: ToldContribution) => {
      const contribution = { ...fields, ...methods };
      const made = this.context.contribute({ kind: "extension-point", ...point }, contribution);
      this.#added.set(number, { contribution, made });
    },
    judge: async (point: { id: string; version: string }, unique: string | undefined, judge: Judge) => {
      const rules = { schema: askedOf(judge), ...(unique !== undefined && { unique: unique as never }) };
      const former = this.#rules.get(point.id);
      // The process says again what it takes: only the last counts.
      this.#rules.set(
        point.id,
        this.context.open({ kind: "extension-point", ...point }, rules) as Contributions<object> & Releasable,
      );
      await former?.release();
    },
    withdraw: (number: number) => this.#added.get(number)?.made.release(),
    refresh: (number: number, fields: object) => {
      const added = this.#added.get(number);
      if (added) Object.assign(added.contribution, fields);
    },
  };

  /** Opens the points that the manifest names. @returns what they hold now */
  open(points: Readonly<Record<string, string>>): Record<string, readonly Contributed[]> {
    for (const [id, version] of Object.entries(points)) {
      const opened = this.context.open<object>({ kind: "extension-point", id, version });
      this.#opened.set(id, opened);
      opened.onChange(() => this.channel().tell("contributions", [id, this.#entries(opened)], { rule: "all" }));
    }
    return Object.fromEntries([...this.#opened].map(([id, opened]) => [id, this.#entries(opened)]));
  }

  #entries(opened: Contributions<object>): Contributed[] {
    return opened.entries().map(({ plugin, contribution }) => {
      return { plugin, contribution: this.#tell(contribution), ...rankOf(contribution) };
    });
  }

  #tell(contribution: object): object {
    const told = this.#told.get(contribution) ?? methodsAsOwn(contribution);
    this.#told.set(contribution, told);
    return Object.assign(told, fieldsOf(contribution));
  }
}

/** Asks the process what is wrong with a contribution. */
type Judge = (fields: object, methods: readonly string[]) => Promise<unknown>;

/** How long the installation of another plugin waits for it. */
const longestCheckMs = 3_000;
const problemsSchema = z
  .array(z.object({ path: z.array(z.string().max(200)).max(20), message: z.string().max(500) }))
  .max(50);

/** A schema whose rules are code of another process. One that gives no answer has nothing against a contribution. */
function askedOf(judge: Judge): z.ZodType {
  const schema = z.custom<object>().superRefine(async (contribution, told) => {
    for (const { path, message } of await answerOf(judge(fieldsOf(contribution), methodsOf(contribution))))
      told.addIssue({ code: "custom", path, message });
  });
  askedElsewhere.add(schema);
  return schema;
}

async function answerOf(asked: Promise<unknown>): Promise<z.output<typeof problemsSchema>> {
  try {
    return problemsSchema.parse(
      await within(asked, { limitMs: longestCheckMs, failure: () => new Error("No answer.") }),
    );
  } catch {
    return [];
  }
}

/** Contracts that an isolated plugin provides: subscriptions are made at once here, and soon after in the process. */
export function provided(contract: string, methods: Readonly<Record<string, unknown>>, follow: Following): object {
  const subscribed = Object.entries(methods).map(([name, method]) => {
    if (typeof method !== "function") return [name, method] as const;
    const called = (given: unknown[]) =>
      follow(`${contract}.${name}`, async () => Reflect.apply(method, undefined, given) as unknown);
    if (!/^on[A-Z]/.test(name)) return [name, (...given: unknown[]) => called(given)] as const;
    return [name, (...given: unknown[]) => subscribe(() => called(given) as Promise<Releasable>)] as const;
  });
  return Object.fromEntries(subscribed);
}

function subscribe(make: () => Promise<Releasable>): Releasable {
  const made = make();
  // The process reports why it could not subscribe; there is nothing to release then.
  const held = made.catch(() => undefined);
  return releasable(async () => (await held)?.release());
}
