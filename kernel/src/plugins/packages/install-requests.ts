import { inBatches, isLongboxError, pause, type Logger } from "@longbox/sdk";
import { Inventory } from "../installed/inventory.js";
import { housePackage } from "./package-names.js";
import { type PreparedPlugin, Preparing } from "./preparing.js";
import { RegistryClient } from "./registry-client.js";
import { inject, injectable } from "../../injection.js";
import { Logs } from "../../logging/logs.js";

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

/** Turns an install request into a checked package in the store. */
@injectable()
export class Wishes {
  readonly #inventory: Inventory;
  readonly #preparing: Preparing;
  readonly #registry: RegistryClient;
  readonly #log: Logger;

  constructor(
    @inject(Inventory) inventory: Inventory,
    @inject(Preparing) preparing: Preparing,
    @inject(RegistryClient) registry: RegistryClient,
    @inject(Logs) logs: Logs,
  ) {
    this.#inventory = inventory;
    this.#preparing = preparing;
    this.#registry = registry;
    this.#log = logs.logger("plugins");
  }

  /** The registry may be starting, or restarting: it is asked again for a while before the request is refused. */
  async prepare(wish: InstallWish, signal: AbortSignal): Promise<PreparedPlugin> {
    const giveUpAt = Date.now() + patienceMs;
    for (;;) {
      try {
        return await this.#prepareOnce(wish);
      } catch (failure) {
        const away = isLongboxError(failure) && failure.code === "kernel/registry-unreachable";
        if (!away || Date.now() > giveUpAt) throw failure;
        await pause(askAgainMs, signal);
      }
    }
  }

  async #prepareOnce(wish: InstallWish): Promise<PreparedPlugin> {
    const asked = { ...wish, package: await this.#packageOf(wish.name) };
    const chosen = await this.#preparing.choose(asked);
    const kept = await this.#inventory.findKept(asked.package, chosen.published.version, chosen.integrity);
    return kept ?? this.#preparing.prepare(asked, chosen);
  }

  /** Prepares what it can; the log tells of the rest. */
  async prepareDefaults(wishes: readonly DefaultWish[], signal: AbortSignal): Promise<PreparedPlugin[]> {
    const prepared: PreparedPlugin[] = [];
    for (const some of inBatches(wishes, packagesAtOnce)) {
      const tried = await Promise.all(some.map((wish) => this.#prepareDefault(wish, signal)));
      prepared.push(...tried.filter((one) => one !== undefined));
    }
    return prepared;
  }

  async #prepareDefault(wish: DefaultWish, signal: AbortSignal): Promise<PreparedPlugin | undefined> {
    try {
      return await this.prepare({ name: wish.package, version: wish.version }, signal);
    } catch (failure) {
      this.#log.error(`The default plugin "${wish.package}" ${wish.version} cannot be installed.`, {
        failure: String(failure),
      });
      return undefined;
    }
  }

  /**
   * The package that a name stands for. An id stands for the package to which it belongs here, or for Longbox's own; what
   * others publish under a like id is never searched for.
   */
  async #packageOf(name: string): Promise<string> {
    if (name.startsWith("@") || this.#inventory.byPackage(name) !== undefined) return name;
    const known = this.#inventory.packageOf(name);
    if (known !== undefined) return known;
    return (await this.#registry.has(housePackage(name))) ? housePackage(name) : name;
  }
}
