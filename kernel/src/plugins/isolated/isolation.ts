import path from "node:path";
import { LongboxError, within, type Logger, type PluginDefinition } from "@longbox/sdk";
import { UserDirectory } from "../../access/accounts/user-directory.js";
import { ServerSettingsSource } from "../../access/server-settings.js";
import { inject, injectable } from "../../injection.js";
import { DataFolder } from "../../kernel-tokens.js";
import type { OpenStorage } from "../../storage/storing.js";
import { FaultReports } from "../containment/fault-reports.js";
import { HostParts } from "../host-parts.js";
import { PluginHostTuning } from "../host-tuning.js";
import { LockFile, withEntry, withoutKey, type LockEntry } from "../installed/lock-file.js";
import { isHousePackage } from "../packages/package-names.js";
import type { PluginOnDisk } from "../packages/plugin-package.js";
import { PluginStore } from "../packages/store.js";
import { usualLimits } from "../running/running-limits.js";
import type { Mistake } from "../examining/mistakes.js";
import type { Description } from "./agreement.js";
import { describedDefinition } from "./described-definition.js";
import { hostCode, pluginCode } from "./fence/code-folders.js";
import { probeFence, type FenceKind } from "./fence/fence.js";
import { startAlone } from "./fence/isolated-process.js";
import { SharedProcesses, type GroupMember, type SharedPlace } from "./fence/shared-processes.js";
import { KeptDescriptions, parseDescription } from "./kept-descriptions.js";
import { tryInProcess } from "./trial-process.js";
import { IsolatedPlugin, toldPlugin, type UnwantedEnd } from "./isolated-plugin.js";

/** Where the code of a plugin runs. */
export type IsolationMode =
  /** In the server's own process, with its rights. */
  | "none"
  /** In a process of its own, behind a fence. */
  | "process";

export interface IsolationChoice {
  readonly mode: IsolationMode;
  /** `setting`: the server's, about packages of other publishers. */
  readonly by: "admin" | "manifest" | "setting" | "default";
  /** The group whose plugins share a process where they are isolated, by an administrator's choice. */
  readonly group?: string;
}

/** What an administrator has chosen for a plugin; undefined leaves it to the rules. */
export interface ChosenIsolation {
  readonly mode: IsolationMode | undefined;
  readonly group: string | undefined;
}

const heapMegabytes = 256;
const memoryBytes = 512_000_000;
const releaseMs = 2_000;
const blockedMs = 3_000;

/** A process of a plugin has ended by itself. */
export type UnwantedEndListener = (plugin: PluginOnDisk, end: UnwantedEnd) => void;

/** A definition that is started in a process of its own. */
const startable = new WeakMap<PluginDefinition, (storage: OpenStorage) => Promise<IsolatedPlugin>>();

/** Starts the process of an isolated plugin; undefined for a plugin of the server's own process. */
export function startIsolated(definition: PluginDefinition, storage: OpenStorage): Promise<IsolatedPlugin> | undefined {
  return startable.get(definition)?.(storage);
}

/** Decides where plugins run, and loads those that run in processes of their own. */
@injectable()
export class Isolation {
  readonly #tuning: PluginHostTuning;
  readonly #linked = new Map<string, IsolationMode>();
  readonly #shared: SharedProcesses;
  readonly #descriptions = new Map<string, Promise<Description>>();
  #ended: UnwantedEndListener = ({ id }, { fault }) => this.faults.report(id, fault, "its process");

  constructor(
    @inject(LockFile) private readonly lock: LockFile,
    @inject(HostParts) private readonly parts: HostParts,
    @inject(FaultReports) private readonly faults: FaultReports,
    @inject(DataFolder) private readonly dataFolder: string,
    @inject(ServerSettingsSource) private readonly server: ServerSettingsSource,
    @inject(KeptDescriptions) private readonly kept: KeptDescriptions,
    @inject(PluginStore) private readonly store: PluginStore,
    @inject(UserDirectory) private readonly users: UserDirectory,
    @inject(PluginHostTuning) tuning: PluginHostTuning,
  ) {
    this.#tuning = tuning;
    this.#shared = new SharedProcesses(dataFolder);
  }

  /** Hears of processes that ended by themselves. */
  onEnded(listener: UnwantedEndListener): void {
    this.#ended = listener;
  }

  /** Where a plugin is to run, and who said so. */
  of(plugin: PluginOnDisk): IsolationChoice {
    const { group } = this.chosen(plugin.id);
    return { ...this.#modeOf(plugin), ...(group !== undefined && { group }) };
  }

  #modeOf({ id, package: name, manifest, linked }: PluginOnDisk): IsolationChoice {
    const { isolated = [], isolatesGuests = this.server.current.isolatedGuests } = this.#tuning.isolation ?? {};
    const chosen = this.chosen(id).mode;
    if (chosen !== undefined) return { mode: chosen, by: "admin" };
    if (isolated.includes(id)) return { mode: "process", by: "admin" };
    if (manifest.isolation === "process") return { mode: "process", by: "manifest" };
    if (isolatesGuests && !linked && !isHousePackage(name)) return { mode: "process", by: "setting" };
    return { mode: "none", by: "default" };
  }

  /** What an administrator has chosen for a plugin. */
  chosen(id: string): ChosenIsolation {
    const entry = this.#entry(id);
    return { mode: entry?.isolation ?? this.#linked.get(id), group: entry?.group };
  }

  /** Writes down what an administrator chooses. A linked plugin is in no group. */
  async choose(id: string, { mode, group }: ChosenIsolation): Promise<void> {
    if (group !== undefined) this.#shared.join(group);
    if (this.#entry(id) === undefined) {
      // What is wanted of a linked plugin ends with the process.
      if (mode === undefined) this.#linked.delete(id);
      else this.#linked.set(id, mode);
      return;
    }
    const changed = (entry: LockEntry): LockEntry => ({
      ...withoutKey(withoutKey(entry, "isolation"), "group"),
      ...(mode !== undefined && { isolation: mode }),
      ...(group !== undefined && { group }),
    });
    await this.lock.update((lock) => withEntry(lock, changed(lock.plugins.find((entry) => entry.id === id)!)));
  }

  #entry(id: string): LockEntry | undefined {
    return this.lock.read().plugins.find((entry) => entry.id === id);
  }

  /** The fence around isolated plugins on this machine. */
  fence(): Promise<FenceKind> {
    const { fence } = this.#tuning.isolation ?? {};
    return fence === undefined ? probeFence() : Promise.resolve(fence);
  }

  /**
   * The definition of a plugin, as it describes itself. The first time, a process is started to ask for it, and ends
   * then.
   */
  async load(plugin: PluginOnDisk): Promise<PluginDefinition> {
    const key = `${plugin.folder} ${plugin.hash}`;
    let describing = this.#descriptions.get(key);
    if (!describing) {
      describing = this.#findDescription(plugin);
      this.#descriptions.set(key, describing);
      describing.catch(() => this.#descriptions.delete(key));
    }
    const description = await describing;
    const elsewhere = () => Promise.reject(new Error("The process of the plugin has not been started."));
    const definition = describedDefinition(description, {
      migrate: elsewhere,
      activate: elsewhere,
      deactivate: elsewhere,
    });
    startable.set(definition, (storage) => this.#start(plugin, description, storage));
    return definition;
  }

  /** Loads a package in a process that then ends, and examines it. @throws {PackageRefused} */
  async try(plugin: PluginOnDisk, limitMs: number): Promise<readonly Mistake[]> {
    const { id, package: name, folder, entry, manifest } = plugin;
    return tryInProcess(
      { id, folder, entry, manifest },
      { fence: await this.fence(), isTrusted: isHousePackage(name), limitMs, log: this.parts.logger(id) },
    );
  }

  async #findDescription(plugin: PluginOnDisk): Promise<Description> {
    const known = await this.kept.find(plugin);
    if (known !== undefined) return known;
    const described = await this.#describe(plugin);
    await this.kept.keep(plugin, described);
    return described;
  }

  async #describe(plugin: PluginOnDisk): Promise<Description> {
    const started = startAlone(
      {
        plugin: plugin.id,
        folder: plugin.folder,
        fence: await this.fence(),
        grants: { code: [...hostCode(), ...pluginCode(plugin)], writable: [], heapMegabytes },
        ...this.#limits(plugin),
      },
      { doors: () => ({ fault: () => undefined }), failed: () => undefined },
    );
    const { activateMs } = { ...usualLimits, ...this.#tuning.limits };
    try {
      const described = started.channel
        .call("load", [toldPlugin(plugin)])
        .then(() => started.channel.call("describe", []));
      const failure = () =>
        new LongboxError(
          "bad-input",
          "kernel/bad-plugin-module",
          `The plugin "${plugin.id}" was not loaded within ${activateMs} ms.`,
        );
      return parseDescription(await within(described, { limitMs: activateMs, failure }));
    } finally {
      await started.release();
    }
  }

  async #start(plugin: PluginOnDisk, description: Description, storage: OpenStorage): Promise<IsolatedPlugin> {
    const { activateMs } = { ...usualLimits, ...this.#tuning.limits };
    return IsolatedPlugin.start({
      plugin,
      description,
      storage,
      fence: await this.fence(),
      shared: await this.#placeOf(plugin),
      caches: path.join(this.dataFolder, "plugins", "cache", plugin.id),
      users: this.users,
      heapMegabytes,
      loadMs: activateMs,
      releaseMs,
      ...this.#limits(plugin),
      fault: (fault, where) => this.faults.report(plugin.id, fault, where),
      ended: (end) => this.#ended(plugin, end),
    });
  }

  /** Its place in the process of its group. A linked plugin has a process of its own. */
  async #placeOf(plugin: PluginOnDisk): Promise<SharedPlace | undefined> {
    const { group } = this.chosen(plugin.id);
    if (group === undefined || plugin.linked || this.#shared.isSeparated(group)) return undefined;
    const start = { fence: await this.fence(), heapMegabytes, ...this.#limits(plugin) };
    return this.#shared.place(group, plugin, { members: this.#membersOf(group), start });
  }

  #membersOf(group: string): GroupMember[] {
    return this.lock
      .read()
      .plugins.filter((entry) => entry.group === group && entry.enabled && entry.isolation !== "none")
      .map(({ id, folder }) => ({ id, folder: path.join(this.store.folder, folder) }));
  }

  #limits({ id }: PluginOnDisk): { log: Logger; memoryBytes: number; blockedMs: number } {
    return { log: this.parts.logger(id), memoryBytes, blockedMs, ...this.#tuning.isolation?.limits };
  }
}
