// Counts what runs of plugins that are over still try to do.
import { injectable } from "../../injection.js";

/** Calls that were refused because the run of the plugin that made them was over, since the server started. */
@injectable()
export class RefusedCalls {
  readonly #counts = new Map<string, number>();

  add(plugin: string): void {
    this.#counts.set(plugin, this.count(plugin) + 1);
  }

  count(plugin: string): number {
    return this.#counts.get(plugin) ?? 0;
  }

  forget(plugin: string): void {
    this.#counts.delete(plugin);
  }
}
