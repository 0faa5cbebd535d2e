import { releasable, type PluginSettings, type Releasable } from "@longbox/sdk";
import { z } from "zod";
import { unmasked, type ValueShape } from "../../../settings/masking.js";

type Values = Readonly<Record<string, unknown>>;

/** The settings of the plugin, as the kernel told them last. */
export class InnerSettings implements PluginSettings<unknown> {
  readonly #listeners = new Set<(next: unknown, previous: unknown) => void>();
  readonly #shape: ValueShape;
  readonly #failed: (fault: unknown) => void;
  #current: unknown;

  constructor(schema: z.ZodType | undefined, values: Values, failed: (fault: unknown) => void) {
    this.#shape =
      schema === undefined ? {} : (z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }) as ValueShape);
    this.#current = values;
    this.#failed = failed;
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
    this.#current = values;
    for (const listener of [...this.#listeners]) {
      try {
        listener(values, previous);
      } catch (fault) {
        this.#failed(fault);
      }
    }
  }
}
