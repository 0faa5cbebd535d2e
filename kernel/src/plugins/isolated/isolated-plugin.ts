import { mkdir } from "node:fs/promises";
import { ColumnDefinitionBuilder, ColumnDefinitionNode, type RootOperationNode } from "kysely";
import {
  within,
  type Logger,
  type MigrationStep,
  type PluginContext,
  type PluginDefinition,
  type Releasable,
} from "@longbox/sdk";
import { runNode } from "../../storage/queries/running-queries.js";
import type { OpenStorage } from "../../storage/storing.js";
import { currentOwner, runAs, type Attributed } from "../containment/attribution.js";
import { currentCause, type RequestCause } from "../containment/request-cause.js";
import type { PluginOnDisk } from "../packages/plugin-package.js";
import type { Description, ToldPlugin, ToldStep } from "./agreement.js";
import { ContextBridge } from "./bridge/context-bridge.js";
import { ReplyBridge } from "./bridge/reply-bridge.js";
import { StorageBridge } from "./bridge/storage-bridge.js";
import { viewerKind } from "./bridge/viewer-kind.js";
import { describedDefinition } from "./described-definition.js";
import { hostCode } from "./fence/code-folders.js";
import type { FenceKind } from "./fence/fence.js";
import { IsolatedProcess, type ProcessEnded, type ProcessLimits } from "./fence/isolated-process.js";
import type { Doors } from "./wire/channel.js";

/** What one process needs. */
export interface IsolatedStart extends ProcessLimits {
  readonly plugin: PluginOnDisk;
  readonly description: Description;
  readonly fence: FenceKind;
  readonly heapMegabytes: number;
  readonly storage: OpenStorage;
  /** Where the kernel keeps the caches of the plugin. */
  readonly caches: string;
  readonly log: Logger;
  readonly loadMs: number;
  readonly releaseMs: number;
  /** Hears of the plugin's faults. */
  readonly fault: (fault: unknown, where: string) => void;
  /** Hears that the process ended by itself, and of the request that it was answering, if it was one alone. */
  readonly ended: (fault: ProcessEnded, cause: RequestCause | undefined) => void;
}

/** One activation of a plugin in a process of its own. */
export class IsolatedPlugin implements Releasable {
  readonly fence: FenceKind;
  /** The same as a definition whose code runs in this process. */
  readonly definition: PluginDefinition;
  readonly #start: IsolatedStart;
  readonly #process: IsolatedProcess;
  readonly #storage: StorageBridge;
  readonly #temporary: string;
  readonly #answering = new Set<{ readonly cause: RequestCause | undefined }>();
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
    const code = [...hostCode(), { place: plugin.folder, real: plugin.folder }];
    const grants = { code, writable: [storage.folder, caches, temporary], heapMegabytes: start.heapMegabytes };
    const channel = {
      doors: () => this.#doors,
      kinds: [viewerKind],
      run: <T>(work: () => T) => runAs(this.#owner, work),
      failed: (fault: unknown, door: string) => this.#failed(fault, door),
    };
    this.#process = new IsolatedProcess({ ...start, plugin: plugin.id, grants }, channel, (fault) => {
      const [only, ...others] = this.#answering;
      start.ended(fault, others.length === 0 ? only?.cause : undefined);
    });
    this.definition = describedDefinition(start.description, {
      migrate: (name, step) => this.#migrate(name, step),
      activate: (given, context) => this.#activate(given, context),
      deactivate: async () => void (await this.#process.channel.call("deactivate", [])),
    });
  }

  /** Starts the process and loads the plugin in it; nothing of it runs beyond its modules. */
  static async start(start: IsolatedStart): Promise<IsolatedPlugin> {
    await mkdir(start.caches, { recursive: true });
    const made = new IsolatedPlugin(start, await start.storage.temporaryFolder());
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
    const { plugin, storage, caches, description, fault } = this.#start;
    this.#owner = currentOwner();
    const bridge = new ContextBridge({
      context,
      given,
      manifest: plugin.manifest,
      optional: Object.keys(description.optional),
      channel: () => this.#process.channel,
      storage: this.#storage,
      replies: new ReplyBridge([plugin.folder, storage.folder, caches, this.#temporary]),
      follow: (work) => this.#follow(work),
      fault,
    });
    this.#doors = bridge.doors;
    await this.#process.channel.call("activate", [bridge.begin(this.#temporary)]);
    this.#isStarting = false;
    if (this.#startFault) throw this.#startFault.fault;
  }

  /** Remembers for which requests code of the plugin runs. */
  async #follow<T>(work: () => Promise<T>): Promise<T> {
    const entry = { cause: currentCause() };
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
  const { numbered, ...plain } = types;
  const column = new ColumnDefinitionBuilder(ColumnDefinitionNode.create("id", types.id.toOperationNode() as never));
  return {
    async run(node) {
      const { rows, numAffectedRows, insertId } = await runNode(database, node as RootOperationNode);
      return { rows, numAffectedRows, insertId };
    },
    raw: async (statements) => raw(statements),
    types: Object.fromEntries(Object.entries(plain).map(([name, type]) => [name, type.toOperationNode()])),
    numbered: numbered(column).toOperationNode(),
  };
}
