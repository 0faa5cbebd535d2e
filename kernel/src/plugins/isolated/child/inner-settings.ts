import { releasable, type PluginSettings, type Releasable } from "@longbox/sdk";
import { z } from "zod";
import { fitting } from "../../../settings/fitting.js";
import { unmasked, type ValueShape } from "../../../settings/masking.js";

type Values = Readonly<Record<string, unknown>>;

/** What became known of the settings that others should know. */
export interface SettingsReports {
  /** A listener failed. */
  failed(fault: unknown): void;
  /** A setting does not fit a rule of the plugin. */
  misfit(key: string, message: string): void;
}

/** The settings of the plugin, as the kernel told them last, read by the plugin's own schema: its rules may be code. */
export class InnerSettings implements PluginSettings<unknown> {
  readonly #listeners = new Set<(next: unknown, previous: unknown) => void>();
  readonly #shape: ValueShape;
  readonly #schema: z.ZodType | undefined;
  readonly #reports: SettingsReports;
  #current: unknown;

  constructor(schema: z.ZodType | undefined, values: Values, reports: SettingsReports) {
    this.#schema = schema;
    this.#reports = reports;
    this.#shape =
      schema === undefined ? {} : (z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as ValueShape);
    this.#current = this.#read(values);
  }

  get current(): unknown {
    return this.#current;
  }

  onChange(listener: (next: unknown, previous: unknown) => void): Releasable {
    const own = (next: unknown, previous: unknown) => listener(next, previous);
    this.#listeners.add(own);
    return releasable(() => void this.#listeners.delete(own));
  }

  unmasked<V extends Values>(values: V): V {
    return unmasked(this.#shape, values, this.#current) as V;
  }

  adopt(values: Values): void {
    const previous = this.#current;
    this.#current = this.#read(values);
    for (const listener of [...this.#listeners]) {
      try {
        listener(this.#current, previous);
      } catch (fault) {
        this.#reports.failed(fault);
      }
    }
  }

  #read(values: Values): unknown {
    if (!this.#schema) return values;
    return this.#schema.parse(fitting(this.#schema, values, (key, message) => this.#reports.misfit(key, message)));
  }
}
