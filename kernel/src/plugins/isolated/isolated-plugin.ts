import { mkdir } from "node:fs/promises";
import { ColumnDefinitionBuilder, ColumnDefinitionNode, type RootOperationNode } from "kysely";
import { z } from "zod";
import {
  LongboxError,
  within,
  type EngineStatements,
  type KernelUsers,
  type Logger,
  type MigrationStep,
  type PluginContext,
  type PluginDefinition,
  type Releasable,
} from "@longbox/sdk";
import type { SettingIssue } from "../../settings/checking-elsewhere.js";
import { engineOf } from "../../storage/queries/engines-of.js";
import { runNode } from "../../storage/queries/running-queries.js";
import type { OpenStorage } from "../../storage/storing.js";
import { currentOwner, runAs, type Attributed } from "../containment/attribution.js";
import { currentCause, type RequestCause } from "../containment/request-cause.js";
import type { PluginOnDisk } from "../packages/plugin-package.js";
import type { Description, ToldPlugin, ToldStep } from "./agreement.js";
import { ContextBridge } from "./bridge/context-bridge.js";
import { ReplyBridge } from "./bridge/reply-bridge.js";
import { requireOwnStatement } from "./bridge/query-rules.js";
import { StorageBridge } from "./bridge/storage-bridge.js";
import { viewerKind } from "./bridge/viewer-kind.js";
import { describedDefinition } from "./described-definition.js";
import { hostCode, pluginCode } from "./fence/code-folders.js";
import type { FenceKind } from "./fence/fence.js";
import { startAlone, type ProcessLimits, type Seat } from "./fence/isolated-process.js";
import type { ProcessEnded } from "./fence/process-ended.js";
import type { SharedPlace } from "./fence/shared-processes.js";
import type { Doors } from "./wire/channel.js";

const issuesSchema = z
  .array(z.object({ path: z.array(z.string().max(200)).max(20), message: z.string().max(2_000) }))
  .max(500);
/** How long a plugin may take for a check; the administrator who changes settings waits for it. */
const longestCheckMs = 10_000;

/** What one process needs. */
export interface IsolatedStart extends ProcessLimits {
  readonly plugin: PluginOnDisk;
  readonly description: Description;
  readonly fence: FenceKind;
  readonly heapMegabytes: number;
  /** Where it is with others; it gets a process of its own without. */
  readonly shared: SharedPlace | undefined;
  readonly storage: OpenStorage;
  /** Where the kernel keeps the caches of the plugin. */
  readonly caches: string;
  readonly users: Pick<KernelUsers, "onChanged">;
  readonly log: Logger;
  readonly loadMs: number;
  readonly releaseMs: number;
  /** Hears of the plugin's faults. */
  readonly fault: (fault: unknown, where: string) => void;
  /** Hears that the process ended by itself. */
  readonly ended: (end: UnwantedEnd) => void;
}

/** The process of an activation ended by itself. */
export interface UnwantedEnd {
  readonly process: IsolatedPlugin;
  readonly fault: ProcessEnded;
  /** What it was doing for others then, in words. */
  readonly during: readonly string[];
  /** The requests behind that, each once. */
  readonly causes: readonly RequestCause[];
}

interface Followed {
  readonly what: string;
  readonly cause: RequestCause | undefined;
  /** By `performance.now()`. */
  readonly begun: number;
}

/** One activation of a plugin in a process behind a fence. */
export class IsolatedPlugin implements Releasable {
  readonly fence: FenceKind;
  /** The same as a definition whose code runs in this process. */
  readonly definition: PluginDefinition;
  readonly #start: IsolatedStart;
  readonly #process: Seat;
  readonly #storage: StorageBridge;
  readonly #temporary: string;
  readonly #answering = new Set<Followed>();
  /** What was under way when the process ended. */
  #atTheEnd: readonly Followed[] = [];
  #ended: UnwantedEnd | undefined;
  #owner: Attributed | undefined;
  #doors: Doors = {};
  #isStarting = true;
  #startFault: { readonly fault: unknown } | undefined;

  private constructor(start: IsolatedStart, temporary: string) {
    const { plugin, storage, caches } = start;
    this.#start = start;
    this.#temporary = temporary;
    this.fence = start.fence;
    this.#storage = new StorageBridge(storage);
    const channel = {
      doors: () => this.#doors,
      kinds: [viewerKind],
      run: <T>(work: () => T) => runAs(this.#owner, work),
      failed: (fault: unknown, door: string) => this.#failed(fault, door),
    };
    const listener = {
      lost: (before: number) => void (this.#atTheEnd = [...this.#answering].filter(({ begun }) => begun <= before)),
      ended: (fault: ProcessEnded) => this.#hearEnd(fault),
    };
    const told = { ...start, plugin: plugin.id, folder: plugin.folder };
    if (start.shared) this.#process = start.shared.process.seat(told, channel, listener);
    else {
      const code = [...hostCode(), ...pluginCode(plugin)];
      const grants = { code, writable: [storage.folder, caches, temporary], heapMegabytes: start.heapMegabytes };
      this.#process = startAlone({ ...told, grants }, channel, listener);
    }
    this.definition = describedDefinition(start.description, {
      migrate: (name, step) => this.#migrate(name, step),
      activate: (given, context) => this.#activate(given, context),
      deactivate: async () => void (this.#ended ?? (await this.#process.channel.call("deactivate", []))),
    });
  }

  /** How its process ended, if it did by itself. */
  get ended(): UnwantedEnd | undefined {
    return this.#ended;
  }

  /** The memory of its process, in bytes, a moment ago; undefined where the system does not tell. */
  get memoryBytes(): number | undefined {
    return this.#process.memoryBytes;
  }

  /** The ids of the other plugins in its process. */
  get sharers(): readonly string[] {
    return this.#process.sharers;
  }

  /** Starts the process and loads the plugin in it; nothing of it runs beyond its modules. */
  static async start(start: IsolatedStart): Promise<IsolatedPlugin> {
    await mkdir(start.caches, { recursive: true });
    const made = new IsolatedPlugin(start, start.shared?.temporary ?? (await start.storage.temporaryFolder()));
    try {
      await made.#load();
      return made;
    } catch (fault) {
      await made.release();
      throw fault;
    }
  }

  /** Ends the process. What the plugin owns in it is released before, as far as it does so in time. */
  async release(): Promise<void> {
    const failure = () => new Error("Its process did not release what it held in time.");
    await within(this.#process.channel.call("release", []), { limitMs: this.#start.releaseMs, failure }).catch(
      (fault: unknown) =>
        this.#start.log.debug("A process ended without releasing what it held.", { fault: String(fault) }),
    );
    await this.#process.release();
    await this.#storage.release();
  }

  /**
   * Checks settings by the rules that are code of the plugin.
   * @throws {LongboxError} `kernel/settings-not-checked` when the plugin gives no answer in time, or one that is no
   *   list of issues
   */
  async checkSettings(values: Readonly<Record<string, unknown>>): Promise<readonly SettingIssue[]> {
    const { id } = this.#start.plugin;
    const failure = (why: string) =>
      new LongboxError("unavailable", "kernel/settings-not-checked", `The plugin "${id}" ${why}; nothing was changed.`);
    const answer = await within(this.#process.channel.call("checkSettings", [values]), {
      limitMs: longestCheckMs,
      failure: () => failure(`did not check the settings within ${longestCheckMs / 1000} seconds`),
    });
    const issues = issuesSchema.safeParse(answer);
    if (!issues.success) throw failure("gave no list of issues when it checked the settings");
    return issues.data;
  }

  async #load(): Promise<void> {
    await within(this.#process.channel.call("load", [toldPlugin(this.#start.plugin)]), {
      limitMs: this.#start.loadMs,
      failure: () => new Error(`The plugin was not loaded within ${this.#start.loadMs} ms.`),
    });
  }

  async #migrate(name: string, step: MigrationStep): Promise<void> {
    await this.#process.channel.call("migrate", [name, toldStep(step)]);
  }

  async #activate(given: Readonly<Record<string, unknown>>, context: PluginContext): Promise<void> {
    const { plugin, storage, caches, description, users, fault } = this.#start;
    this.#owner = currentOwner();
    const bridge = new ContextBridge({
      context,
      given,
      manifest: plugin.manifest,
      optional: Object.keys(description.optional),
      users,
      channel: () => this.#process.channel,
      storage: this.#storage,
      replies: new ReplyBridge([plugin.folder, storage.folder, caches, this.#temporary]),
      follow: (what, work) => this.#follow(what, work),
      fault,
    });
    this.#doors = bridge.doors;
    await this.#process.channel.call("activate", [bridge.begin(this.#temporary)]);
    this.#isStarting = false;
    this.#process.started();
    if (this.#startFault) throw this.#startFault.fault;
  }

  #hearEnd(fault: ProcessEnded): void {
    const during = [...new Set(this.#atTheEnd.map(({ what }) => what))];
    const causes = [...new Set(this.#atTheEnd.flatMap(({ cause }) => cause ?? []))];
    this.#ended = { process: this, fault, during, causes };
    this.#storage
      .release()
      .catch((failure: unknown) =>
        this.#start.log.warn("Its transactions could not be ended.", { fault: String(failure) }),
      );
    this.#start.ended(this.#ended);
  }

  /** Remembers for which requests code of the plugin runs. */
  async #follow<T>(what: string, work: () => Promise<T>): Promise<T> {
    const entry = { what, cause: currentCause(), begun: performance.now() };
    this.#answering.add(entry);
    try {
      return await work();
    } finally {
      this.#answering.delete(entry);
    }
  }

  /** What the process did without waiting for an answer was refused. */
  #failed(fault: unknown, door: string): void {
    if (this.#isStarting) this.#startFault ??= { fault };
    else this.#start.fault(fault, `what its process did: ${door}`);
  }
}

export function toldPlugin({ id, package: name, version, folder, entry, manifest }: PluginOnDisk): ToldPlugin {
  return { id, package: name, version, folder, entry, manifest };
}

function toldStep({ database, types, raw }: MigrationStep): ToldStep {
  const engine = engineOf(database);
  const { numbered, ...plain } = types;
  const column = new ColumnDefinitionBuilder(ColumnDefinitionNode.create("id", types.id.toOperationNode() as never));
  return {
    async run(node) {
      const { rows, numAffectedRows, insertId } = await runNode(database, node as RootOperationNode, (text) =>
        requireOwnStatement(text, engine),
      );
      return { rows, numAffectedRows, insertId };
    },
    async raw(told) {
      const own = z.array(z.string()).parse((told as Partial<EngineStatements> | undefined)?.[engine]);
      for (const text of own) requireOwnStatement(text, engine);
      await raw({ sqlite: [], postgres: [], [engine]: own, reason: "The plugin has checked it." });
    },
    engine,
    types: Object.fromEntries(Object.entries(plain).map(([name, type]) => [name, type.toOperationNode()])),
    numbered: numbered(column).toOperationNode(),
  };
}
