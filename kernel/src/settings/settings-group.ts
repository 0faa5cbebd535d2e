import type { Logger, PluginSettings, Releasable } from "@longbox/sdk";
import { z } from "zod";
import { sayProblem } from "../parsing/input-problems.js";
import { jsonOf, type CheckedValues, type CheckElsewhere, type SettingIssue } from "./checking-elsewhere.js";
import { fitting } from "./fitting.js";
import { takeLists, withStoredIds } from "./list-settings.js";
import { masked, secretsIn, unmasked, type ValueShape } from "./masking.js";

export type GroupValues = Readonly<Record<string, unknown>>;
type Flaws = Record<string, string>;

/** The values that are to be stored; `flaws` says, by field, why they cannot. */
export interface Plan {
  readonly values: GroupValues;
  readonly flaws: Flaws;
}

export interface SettingsGroupParts<T> {
  readonly name: string;
  readonly schema: z.ZodType<T>;
  readonly log: Logger;
  /** Rules that the schema cannot say. */
  readonly check?: CheckElsewhere | undefined;
}

/** One opening of a group of settings: its schema, what it is now, and who wants to hear of changes. */
export class SettingsGroup<T = unknown> implements PluginSettings<T> {
  readonly name: string;
  /** The group as JSON Schema, with the fields' labels. */
  readonly shape: ValueShape & Record<string, unknown>;
  readonly #schema: z.ZodType<T>;
  readonly #log: Logger;
  readonly #check: CheckElsewhere | undefined;
  readonly #listeners = new Set<(next: T, previous: T) => void>();
  #current: T;

  constructor({ name, schema, log, check }: SettingsGroupParts<T>, stored: GroupValues) {
    this.name = name;
    this.#schema = schema;
    this.#log = log;
    this.#check = check;
    const { $schema: _, ...shape } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
    this.shape = shape as ValueShape & Record<string, unknown>;
    this.#current = this.#readStored(stored);
  }

  get current(): T {
    return this.#current;
  }

  /** What may be shown. */
  get shown(): GroupValues {
    return masked(this.shape, this.#current) as GroupValues;
  }

  get secrets(): string[] {
    return secretsIn(this.shape, this.#current);
  }

  unmasked<V extends GroupValues>(values: V): V {
    return unmasked(this.shape, values, this.#current) as V;
  }

  onChange(listener: (next: T, previous: T) => void): Releasable {
    const own = (next: T, previous: T) => listener(next, previous);
    this.#listeners.add(own);
    return { release: () => void this.#listeners.delete(own) };
  }

  /** The stored values as they would be after a change. */
  plan(stored: GroupValues, change: GroupValues): Plan {
    const former = this.#withoutMisfits(stored);
    const taken = takeLists(this.shape, change, { path: this.name, former });
    const unknown = Object.keys(change).filter((key) => !Object.hasOwn(this.shape.properties ?? {}, key));
    const wanted = unmasked(this.shape, taken.value, former) as GroupValues;
    const values = { ...former, ...wanted };
    return {
      values,
      flaws: {
        ...this.#flawsOf(values),
        ...taken.flaws,
        ...Object.fromEntries(unknown.map((key) => [`${this.name}.${key}`, "There is no such setting."])),
      },
    };
  }

  /** Checks the values after a change by the rules that the schema cannot say; undefined where there are none. */
  async checkElsewhere(stored: GroupValues, change: GroupValues): Promise<CheckedValues | undefined> {
    const { values, flaws } = this.plan(stored, change);
    if (!this.#check || Object.keys(flaws).length > 0) return undefined;
    return { former: jsonOf(stored), values, issues: await this.#check(values) };
  }

  /**
   * The plan that {@link checkElsewhere} looked at, with why its values do not fit; undefined when something else is
   * stored by now. It is not made a second time, since new entries of a list would get other ids.
   * @param plan - stays as it is where nothing is checked elsewhere
   */
  checkedPlan(stored: GroupValues, plan: Plan, checked: CheckedValues | undefined): Plan | undefined {
    if (!this.#check) return plan;
    if (checked?.former !== jsonOf(stored)) return undefined;
    return { values: checked.values, flaws: this.#byField(checked.issues) };
  }

  /** Takes what has been stored, and tells who wanted to hear. */
  adopt(stored: GroupValues): void {
    const previous = this.#current;
    this.#current = this.#readStored(stored);
    if (JSON.stringify(previous) === JSON.stringify(this.#current)) return;
    for (const listener of [...this.#listeners]) this.#tell(listener, previous);
  }

  #tell(listener: (next: T, previous: T) => void, previous: T): void {
    try {
      listener(this.#current, previous);
    } catch (fault) {
      this.#log.error("A listener for changed settings failed.", { group: this.name, fault: String(fault) });
    }
  }

  #readStored(stored: GroupValues): T {
    return this.#schema.parse(
      this.#withoutMisfits(stored, (key, message) =>
        this.#log.warn("A stored setting no longer fits; its default is used.", {
          setting: `${this.name}.${key}`,
          message,
        }),
      ),
    );
  }

  #withoutMisfits(stored: GroupValues, report?: (key: string, message: string) => void): GroupValues {
    const values = withStoredIds(
      this.shape,
      Object.fromEntries(Object.entries(stored).filter(([key]) => Object.hasOwn(this.shape.properties ?? {}, key))),
    ) as GroupValues;
    return fitting(this.#schema, values, report);
  }

  #flawsOf(values: GroupValues): Flaws {
    const parsed = this.#schema.safeParse(values, { error: sayProblem });
    if (parsed.success) return {};
    return this.#byField(parsed.error.issues);
  }

  #byField(issues: readonly SettingIssue[]): Flaws {
    return Object.fromEntries(issues.map(({ path, message }) => [[this.name, ...path.map(String)].join("."), message]));
  }
}

/** The schema of a group with this title, where its owner gave it none. */
export function withTitle<S extends z.ZodType>(schema: S, title: string): S {
  const known = schema.meta();
  return known?.title === undefined ? schema.meta({ ...known, title }) : schema;
}
