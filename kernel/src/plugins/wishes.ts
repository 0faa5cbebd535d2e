import { isLongboxError, type Logger } from "@longbox/sdk";
import type { Catalog } from "./catalog.js";
import type { Inventory } from "./inventory.js";
import type { PreparedPlugin, Preparing } from "./preparing.js";

/** What an admin asks to be installed: an id or a package name, perhaps an exact version. */
export interface InstallWish {
  readonly name: string;
  readonly version?: string | undefined;
  readonly integrity?: string | undefined;
}

/** A plugin that the kernel was told to bring along. */
export interface DefaultWish {
  readonly package: string;
  readonly version: string;
}

/** How long a registry may take to come up beside the kernel, and how often it is asked. */
const patienceMs = 10_000;
const askAgainMs = 250;
/** Each package takes two threads for a moment. */
const packagesAtOnce = 3;

/** Turns what somebody wants into a checked package in the store. */
export class Wishes {
  readonly #inventory: Inventory;
  readonly #preparing: Preparing;
  readonly #catalog: Catalog;
  readonly #log: Logger;

  constructor(inventory: Inventory, preparing: Preparing, catalog: Catalog, log: Logger) {
    this.#inventory = inventory;
    this.#preparing = preparing;
    this.#catalog = catalog;
    this.#log = log;
  }

  async prepare(wish: InstallWish): Promise<PreparedPlugin> {
    const asked = { ...wish, package: await this.#packageOf(wish.name) };
    const chosen = await this.#preparing.choose(asked);
    const kept = await this.#inventory.findKept(asked.package, chosen.published.version, chosen.integrity);
    return kept ?? this.#preparing.prepare(asked, chosen);
  }

  /** Prepares what it can; the log tells of the rest. */
  async prepareDefaults(wishes: readonly DefaultWish[], signal: AbortSignal): Promise<PreparedPlugin[]> {
    const prepared: PreparedPlugin[] = [];
    for (let at = 0; at < wishes.length; at += packagesAtOnce) {
      const some = await Promise.all(wishes.slice(at, at + packagesAtOnce).map((wish) => this.#prepareDefault(wish, signal)));
      prepared.push(...some.filter((one) => one !== undefined));
    }
    return prepared;
  }

  /** The registry may still be starting: it is asked again for a while. */
  async #prepareDefault(wish: DefaultWish, signal: AbortSignal): Promise<PreparedPlugin | undefined> {
    const giveUpAt = Date.now() + patienceMs;
    for (;;) {
      try {
        return await this.prepare({ name: wish.package, version: wish.version });
      } catch (failure) {
        const away = isLongboxError(failure) && failure.code === "kernel/registry-unreachable";
        if (!away || Date.now() > giveUpAt || signal.aborted) {
          this.#log.error(`The default plugin "${wish.package}" ${wish.version} cannot be installed.`, { failure: String(failure) });
          return undefined;
        }
        await new Promise((resolve) => setTimeout(resolve, askAgainMs));
      }
    }
  }

  async #packageOf(name: string): Promise<string> {
    const installed = this.#inventory.byPackage(name) ?? this.#inventory.findEntry(name);
    if (installed) return "plugin" in installed ? installed.plugin.package : installed.package;
    return name.startsWith("@") ? name : ((await this.#catalog.packageOf(name)) ?? name);
  }
}
