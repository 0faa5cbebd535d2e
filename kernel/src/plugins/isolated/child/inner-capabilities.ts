import { releasable, type OptionalCapability, type PluginDefinition, type Releasable } from "@longbox/sdk";
import { makeStandIn } from "../../contracts/stand-in.js";
import type { Channel } from "../wire/channel.js";

/** The contracts that the plugin uses, as it gets them: calls go to the kernel by name. */
export class InnerCapabilities {
  readonly given: Record<string, unknown> = {};
  readonly #channel: Channel;
  readonly #available = new Map<string, boolean>();
  readonly #listeners = new Map<string, Set<(available: boolean) => void>>();

  constructor(channel: Channel, definition: PluginDefinition, optional: Readonly<Record<string, boolean>>) {
    this.#channel = channel;
    for (const [name, { id }] of Object.entries(definition.requires)) this.given[name] = this.#standIn(name, id);
    for (const [name, { id }] of Object.entries(definition.optional)) {
      this.#available.set(name, optional[name] ?? false);
      this.given[name] = this.#optional(name, id);
    }
  }

  /** The kernel says whether an optional contract is provided now. */
  tell(name: string, isAvailable: boolean): void {
    this.#available.set(name, isAvailable);
    for (const listener of [...(this.#listeners.get(name) ?? [])]) listener(isAvailable);
  }

  #standIn(name: string, id: string): object {
    return makeStandIn(id, {
      call: (method, given) =>
        this.#channel.call("contract", [name, method, ...given], { place: `An argument of ${id}.${method}` }),
      subscribe: (method, given) => {
        const made = this.#channel.call("subscribe", [name, method, ...given], { rule: "all" }) as Promise<Releasable>;
        // That it could not be made is the fault of the call, which the kernel has reported.
        made.catch(() => undefined);
        return releasable(async () => (await made).release());
      },
    });
  }

  #optional(name: string, id: string): OptionalCapability<object> {
    const listeners = new Set<(available: boolean) => void>();
    this.#listeners.set(name, listeners);
    return {
      use: this.#standIn(name, id),
      available: () => this.#available.get(name) ?? false,
      onAvailability(listener) {
        const own = (available: boolean) => listener(available);
        listeners.add(own);
        return releasable(() => void listeners.delete(own));
      },
    };
  }
}
