import { join } from "node:path";
import { BadInput, releasable, type Logger, type PluginSettings, type Releasable } from "@longbox/sdk";
import { z } from "zod";
import { openDocument, type KeptDocument } from "../storage/index.js";
import type { CheckedValues, CheckElsewhere } from "./checking-elsewhere.js";
import type { SettingsKeeping } from "./keeping.js";
import { secretCleaner } from "./masking.js";
import { SettingsGroup, type GroupValues, type Plan } from "./settings-group.js";

const documentSchema = z.record(z.string(), z.record(z.string(), z.unknown())).default({});
type AllValues = z.output<typeof documentSchema>;

export interface SettingsOptions {
  /** The data folder; the document is `settings.json` in it. */
  readonly folder: string;
  readonly log: Logger;
  /** Called after settings have been changed and all listeners were notified. */
  readonly changed?: () => void;
}

/** All settings of the server: one document, in groups, each with the schema of its owner. */
export class Settings implements SettingsKeeping {
  readonly #document: KeptDocument<AllValues>;
  readonly #options: SettingsOptions;
  /** For each group its openings; while a plugin is upgraded there are two, and the newest decides what fits. */
  readonly #groups = new Map<string, Array<SettingsGroup<any>>>();
  /** Made when it is next needed; whatever changes a secret drops it. */
  #cleaner: ((value: unknown) => unknown) | undefined;

  private constructor(document: KeptDocument<AllValues>, options: SettingsOptions) {
    this.#document = document;
    this.#options = options;
  }

  /** Reads `settings.json`. A file that cannot be read is kept aside and reported. */
  static async open(options: SettingsOptions): Promise<Settings> {
    return new Settings(
      await openDocument(join(options.folder, "settings.json"), documentSchema, options.log),
      options,
    );
  }

  open<S extends z.ZodType>(
    group: string,
    schema: S,
    check?: CheckElsewhere,
  ): PluginSettings<z.output<S>> & Releasable {
    const opened = new SettingsGroup<z.output<S>>(
      { name: group, schema: schema as z.ZodType<z.output<S>>, log: this.#options.log, check },
      this.#stored(group),
    );
    const openings = this.#groups.get(group) ?? [];
    this.#groups.set(group, [...openings, opened]);
    this.#cleaner = undefined;
    const closing = releasable(() => this.#close(opened));
    return {
      get current() {
        return opened.current;
      },
      onChange: (listener) => opened.onChange(listener),
      unmasked: (values) => opened.unmasked(values),
      release: () => closing.release(),
    };
  }

  /** Every open group's values, secrets masked. */
  read(): Record<string, GroupValues> {
    return Object.fromEntries(this.#newest().map((group) => [group.name, group.shown]));
  }

  /** The JSON Schema of all open groups, with labels. */
  schema(): Record<string, unknown> {
    const properties = Object.fromEntries(this.#newest().map((group) => [group.name, group.shape]));
    return {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties,
      additionalProperties: false,
    };
  }

  /** A JSON value without any secret that is set: for logs, and for what leaves the server. */
  withoutSecrets(value: unknown): unknown {
    this.#cleaner ??= secretCleaner([...this.#groups.values()].flat().flatMap((group) => group.secrets));
    return this.#cleaner(value);
  }

  /**
   * Changes any part of any groups: all of it, or nothing.
   * @throws {BadInput} `kernel/settings-do-not-fit`, naming each field
   */
  async update(change: Readonly<Record<string, GroupValues>>): Promise<Record<string, GroupValues>> {
    let stored: AllValues | undefined;
    do stored = await this.#store(change);
    while (stored === undefined);
    for (const name of Object.keys(change)) {
      for (const group of this.#groups.get(name) ?? []) {
        // Dropped before each, since a listener may log, which makes it again.
        this.#cleaner = undefined;
        // What this change has stored: the document may already have the next one, which is not on the disk yet.
        group.adopt(this.#stored(name, stored));
      }
    }
    this.#cleaner = undefined;
    this.#options.changed?.();
    return this.read();
  }

  /** Stores values for groups that are opened later; what does not fit then falls back to its default. */
  async preset(values: Readonly<Record<string, GroupValues>>): Promise<void> {
    await this.#document.update((stored) => ({
      ...stored,
      ...Object.fromEntries(Object.entries(values).map(([name, group]) => [name, { ...stored[name], ...group }])),
    }));
    for (const name of Object.keys(values))
      for (const opened of this.#groups.get(name) ?? []) opened.adopt(this.#document.read()[name] ?? {});
  }

  async purge(group: string): Promise<void> {
    if (!Object.hasOwn(this.#document.read(), group)) return;
    await this.#document.update(({ [group]: _, ...others }) => others);
    await this.#document.forgetFormer();
    for (const opened of this.#groups.get(group) ?? []) opened.adopt({});
    this.#cleaner = undefined;
  }

  /**
   * @returns what is stored then; undefined when others changed the same groups while a plugin checked the values in
   * its process
   */
  async #store(change: Readonly<Record<string, GroupValues>>): Promise<AllValues | undefined> {
    const checked = new Map<string, CheckedValues | undefined>();
    for (const [name, values] of Object.entries(change))
      checked.set(name, await this.#groups.get(name)?.at(-1)?.checkElsewhere(this.#stored(name), values));
    let isPlanned = true;
    const stored = await this.#document.update((former) => {
      const plan = this.#plan(former, change, checked);
      isPlanned = plan !== undefined;
      return plan ?? former;
    });
    return isPlanned ? stored : undefined;
  }

  #plan(
    stored: AllValues,
    change: Readonly<Record<string, GroupValues>>,
    checked: ReadonlyMap<string, CheckedValues | undefined>,
  ): AllValues | undefined {
    let plans = Object.entries(change).map(([name, values]) => ({ name, ...this.#planGroup(name, stored, values) }));
    if (plans.every((plan) => Object.keys(plan.flaws).length === 0)) {
      const found = plans.flatMap((plan) => {
        const group = this.#groups.get(plan.name)?.at(-1);
        const next = group?.checkedPlan(this.#stored(plan.name, stored), plan, checked.get(plan.name));
        return next === undefined ? [] : [{ name: plan.name, ...next }];
      });
      if (found.length < plans.length) return undefined;
      plans = found;
    }
    const flaws = plans.flatMap((plan) => Object.entries(plan.flaws));
    // From entries, so that a key such as __proto__ stays a key.
    if (flaws.length === 0)
      return { ...stored, ...Object.fromEntries(plans.map((plan) => [plan.name, { ...plan.values }])) };
    throw new BadInput(
      "kernel/settings-do-not-fit",
      `Nothing was changed. Look at ${flaws.map(([field]) => field).join(", ")}.`,
      Object.fromEntries(flaws),
    );
  }

  #planGroup(name: string, stored: AllValues, values: GroupValues): Plan {
    const group = this.#groups.get(name)?.at(-1);
    return (
      group?.plan(this.#stored(name, stored), values) ?? {
        values: {},
        flaws: Object.fromEntries([[name, "There is no such group of settings."]]),
      }
    );
  }

  #stored(group: string, all: AllValues = this.#document.read()): GroupValues {
    return Object.hasOwn(all, group) ? (all[group] ?? {}) : {};
  }

  #newest(): SettingsGroup[] {
    return [...this.#groups.values()]
      .flatMap((openings) => openings.slice(-1))
      .sort((one, other) => (one.name < other.name ? -1 : 1));
  }

  #close(opened: SettingsGroup<any>): void {
    const left = (this.#groups.get(opened.name) ?? []).filter((each) => each !== opened);
    if (left.length > 0) this.#groups.set(opened.name, left);
    else this.#groups.delete(opened.name);
  }
}
