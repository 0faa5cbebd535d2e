import { inBatches, isLongboxError, pause, type Logger } from "@longbox/sdk";
import type { Introduction } from "../consent/introduction.js";
import { Inventory } from "../installed/inventory.js";
import { housePackage } from "./package-names.js";
import { type PackageRequest, type PreparedPlugin, Preparing } from "./preparing.js";
import { RegistryClient } from "./registry-client.js";
import { inject, injectable } from "../../injection.js";
import { Logs } from "../../logging/logs.js";

/** A request to install a plugin: its id or package name, optionally an exact version and its integrity. */
export interface InstallRequest {
  readonly name: string;
  readonly version?: string | undefined;
  readonly integrity?: string | undefined;
  /** What the plugin asks for is accepted, by the administrator who asks for the installation. */
  readonly accept?: boolean | undefined;
}

/** A plugin that the kernel installs by default. */
export interface DefaultPlugin {
  readonly package: string;
  readonly version: string;
}

/** How long the kernel waits for a registry that is starting, and how often it retries. */
const waitForRegistryMs = 10_000;
const retryMs = 250;
/** Each package takes two threads for a short time. */
const packagesAtOnce = 3;

/** Turns an install request into a checked package in the store. */
@injectable()
export class InstallRequests {
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

  /** Retries for a while when the registry cannot be reached, because it may be starting. */
  prepare(request: InstallRequest, signal: AbortSignal): Promise<PreparedPlugin> {
    return this.#withRegistry(() => this.#prepareOnce(request), signal);
  }

  /** What an administrator should know before the installation. Nothing of the package is kept. */
  async introduce(request: InstallRequest, signal: AbortSignal): Promise<Introduction> {
    return this.#withRegistry(async () => {
      const asked = { ...request, package: await this.#packageOf(request.name) };
      return this.#preparing.introduce(asked, await this.#preparing.choose(asked));
    }, signal);
  }

  async #withRegistry<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    const giveUpAt = Date.now() + waitForRegistryMs;
    for (;;) {
      try {
        return await work();
      } catch (failure) {
        const away = isLongboxError(failure) && failure.code === "kernel/registry-unreachable";
        if (!away || Date.now() > giveUpAt) throw failure;
        await pause(retryMs, signal);
      }
    }
  }

  async #prepareOnce(request: InstallRequest): Promise<PreparedPlugin> {
    const asked = { ...request, package: await this.#packageOf(request.name) };
    const chosen = await this.#preparing
      .choose(asked)
      .catch((failure: unknown) => this.#withoutRegistry(asked, failure));
    if ("plugin" in chosen) return chosen;
    const kept = await this.#inventory.findKept(asked.package, chosen.published.version, chosen.integrity);
    return kept === undefined ? this.#preparing.prepare(asked, chosen) : { ...kept, warnings: [] };
  }

  /** What was installed here before can be installed again while the registry is away: it was accepted then. */
  async #withoutRegistry(asked: PackageRequest, failure: unknown): Promise<PreparedPlugin> {
    const isAway = isLongboxError(failure) && failure.code === "kernel/registry-unreachable";
    const kept = isAway ? await this.#inventory.findWithoutRegistry(asked) : undefined;
    if (kept) return { ...kept, warnings: [] };
    throw failure;
  }

  /** Prepares the plugins that it can; failures of the others are logged. */
  async prepareDefaults(defaults: readonly DefaultPlugin[], signal: AbortSignal): Promise<PreparedPlugin[]> {
    const prepared: PreparedPlugin[] = [];
    for (const some of inBatches(defaults, packagesAtOnce)) {
      const tried = await Promise.all(some.map((plugin) => this.#prepareDefault(plugin, signal)));
      prepared.push(...tried.filter((one) => one !== undefined));
    }
    return prepared;
  }

  async #prepareDefault(plugin: DefaultPlugin, signal: AbortSignal): Promise<PreparedPlugin | undefined> {
    try {
      // The operator of the server has chosen them.
      return await this.prepare({ name: plugin.package, version: plugin.version, accept: true }, signal);
    } catch (failure) {
      this.#log.error(`The default plugin "${plugin.package}" ${plugin.version} cannot be installed.`, {
        failure: String(failure),
      });
      return undefined;
    }
  }

  /**
   * Resolves an id or a name to a package. An id means the installed package with that id, or else the package in
   * Longbox's own scope; packages of other scopes with the same id are never considered.
   */
  async #packageOf(name: string): Promise<string> {
    if (name.startsWith("@") || this.#inventory.byPackage(name) !== undefined) return name;
    const known = this.#inventory.packageOf(name);
    if (known !== undefined) return known;
    return (await this.#registry.has(housePackage(name))) ? housePackage(name) : name;
  }
}
