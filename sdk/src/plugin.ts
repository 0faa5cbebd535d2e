import type { z } from "zod";
import type { Logger } from "./log.js";
import type { MemoryBudget } from "./memory.js";
import type { ParseJson } from "./outgoing/answer.js";
import type { Fetch, HostLimits, OutgoingHost } from "./outgoing/fetching.js";
import type { Releasable } from "./releasable.js";
import type { Route } from "./routes/route.js";
import type { PluginStorage } from "./storage.js";
import type { Migration } from "./tables/migration.js";
import type { Contract, ExtensionPoint } from "./token.js";

/** The current values of the plugin's settings, and their changes. */
export interface PluginSettings<S> {
  readonly current: S;
  onChange(listener: (next: S, previous: S) => void): Releasable;
  /**
   * Values as a form sends them before they are saved, each mask replaced by the stored secret that it stands for: in a
   * list that of the entry with the same id. For routes that test a connection.
   */
  unmasked<V extends Readonly<Record<string, unknown>>>(values: V): V;
}

/** Everything that has been added to an extension point, in the order of the contributors' ids. */
export interface Contributions<T> {
  all(): ReadonlyArray<T>;
  /** The same, each with the id of the plugin that added it. */
  entries(): ReadonlyArray<{ readonly plugin: string; readonly contribution: T }>;
  onChange(listener: () => void): Releasable;
}

/**
 * What contributions to an extension point have to be, beyond their type. One that is not so is refused when its plugin
 * is installed or checked, in a sentence that names the point, the field, its value and the schema's message; in a
 * plugin that runs already it is left out, and counts as a fault of that plugin.
 */
export interface ContributionRules<T> {
  /**
   * An object schema, without refinements that return promises. It gets the contribution as it was added, with its
   * methods.
   */
  readonly schema?: z.ZodType;
  /**
   * A field whose value only one contribution can have, such as `id`: that of Longbox before a stranger's, otherwise
   * that of the plugin whose name comes first.
   */
  readonly unique?: keyof T & string;
}

/** An in-process event of one plugin; a listener that throws is reported and does not disturb the others. */
export interface Topic<T> {
  publish(value: T): void;
  subscribe(listener: (value: T) => void): Releasable;
}

/** A thread that runs one of the plugin's declared workers. It is terminated when the plugin stops. */
export interface PluginWorker<In = unknown, Out = unknown> extends Releasable {
  post(message: In, transfer?: readonly ArrayBuffer[]): void;
  onMessage(listener: (message: Out) => void): Releasable;
  /** Settles when the thread ends: resolves after a normal end or a release, rejects with the error that ended it. */
  readonly ended: Promise<void>;
}

export interface WorkerLimits {
  /** The maximum heap of the thread, without buffers; it ends when it needs more. Default: no separate limit. */
  readonly heapMegabytes?: number;
  /** The thread parses external input and may crash on it. A crash does not count as a fault of the plugin. */
  readonly expendable?: boolean;
  /**
   * Runs the module in a separate process with this limit on its total memory, including buffers and native code. It
   * ends when it needs more; `ended` then rejects with the code `ERR_WORKER_OUT_OF_MEMORY`. For work whose memory must
   * go back to the system, such as drawing documents of others. Nothing can be transferred to it: messages are copied.
   */
  readonly processMegabytes?: number;
}

/**
 * What an activation can use. Everything that is registered or opened through it belongs to that activation, and the
 * kernel releases it, newest first, when the plugin stops.
 */
export interface PluginContext<S = unknown> {
  readonly plugin: { readonly id: string; readonly package: string; readonly version: string };
  readonly log: Logger;
  /** Aborts when the plugin stops. */
  readonly signal: AbortSignal;
  readonly settings: PluginSettings<S>;
  readonly storage: PluginStorage;
  /** Provides a contract that the manifest declares to other plugins. */
  provide<T extends object>(token: Contract<T>, implementation: T): void;
  routes(routes: readonly Route[]): void;
  /** Releases a resource when the plugin stops. @returns the resource */
  own<T extends Releasable | Disposable | AsyncDisposable>(thing: T): T;
  /**
   * Notifies clients that a domain, declared in the manifest's `events`, should be fetched again. Bursts are combined.
   *
   * With `userIds`, only the clients of these users are notified, such as for a reading position or a private list.
   */
  changed(domain: string, options?: { readonly userIds?: readonly number[] }): void;
  topic<T>(name: string): Topic<T>;
  /** Opens an extension point of this plugin. */
  open<T extends object>(point: ExtensionPoint<T>, rules?: ContributionRules<T>): Contributions<T>;
  /** Adds a contribution to an extension point, which may be opened before or after, by any plugin. */
  contribute<T extends object>(point: ExtensionPoint<T>, contribution: T): Releasable;
  /** Starts one of the `workers` that the manifest declares. */
  worker<In = unknown, Out = unknown>(name: string, workerData?: unknown, limits?: WorkerLimits): PluginWorker<In, Out>;
  /**
   * The URL of one of the `workers` that the manifest declares, so that a thread of another plugin can import the
   * module. There it finds the host's copies of the shared packages, too.
   */
  workerUrl(name: string): string;
  /** Requests to other servers: the standard `fetch` with limits, aborted when the plugin stops. */
  readonly fetch: Fetch;
  /** Reads JSON that came from outside without holding up the event loop. */
  readonly parseJson: ParseJson;
  /**
   * The host of a URL, with the request budget, the pause it asked for and the circuit breaker that all plugins share.
   * Calling it again with other limits replaces the limits of this plugin.
   */
  host(url: string | URL, limits?: HostLimits): OutgoingHost;
  /** The memory budget that all plugins share. */
  readonly memory: MemoryBudget;
  /** Called when an account is deleted, to delete its data in the plugin. The deletion waits for the promise. */
  onUserDeleted(listener: (userId: number) => Promise<void>): void;
  /** Called when the first account takes over the data of the local admin (user 0). */
  onUserAdopted(listener: (change: { from: number; to: number }) => Promise<void>): void;
}

/** Contracts by the names under which a plugin uses them. */
export type ContractMap = Record<string, Contract<any>>;
/** What `activate` gets for the contracts that a plugin requires. */
export type Resolved<R extends ContractMap> = { readonly [K in keyof R]: R[K] extends Contract<infer T> ? T : never };
/** Optional capabilities are stand-ins too; `available()` says whether a plugin provides them now. */
export interface OptionalCapability<T> {
  available(): boolean;
  /** The stand-in; calls while no plugin provides it are refused with `capability-gone`. */
  readonly use: T;
  onAvailability(listener: (available: boolean) => void): Releasable;
}
/** What `activate` gets for the contracts that a plugin can use and does without. */
export type ResolvedOptional<O extends ContractMap> = {
  readonly [K in keyof O]: O[K] extends Contract<infer T> ? OptionalCapability<T> : never;
};

export interface PluginOptions<R extends ContractMap, O extends ContractMap, S extends z.ZodType> {
  requires?: R;
  optional?: O;
  /** An object schema with a default for every key and a title by `.meta({ title })`. */
  settings?: S;
  migrations?: readonly Migration[];
  activate(capabilities: Resolved<R> & ResolvedOptional<O>, context: PluginContext<z.output<S>>): Promise<void> | void;
  /** Called before everything is released. It is not guaranteed to be called. */
  deactivate?(): Promise<void> | void;
}

/** A plugin as its entry exports it. */
export interface PluginDefinition {
  readonly requires: ContractMap;
  readonly optional: ContractMap;
  readonly settings: z.ZodType | undefined;
  readonly migrations: readonly Migration[];
  readonly activate: (capabilities: never, context: PluginContext<never>) => Promise<void> | void;
  readonly deactivate: (() => Promise<void> | void) | undefined;
}

const definitionFields = new Set(["requires", "optional", "settings", "migrations", "activate", "deactivate"]);

/**
 * Describes a plugin; the entry's default export. Every field but `activate` may be left out.
 *
 * @example
 * ```ts
 * export default definePlugin({
 *   requires: { library: Collection },
 *   async activate({ library }, context) {
 *     context.routes(shelfRoutes(new Shelves(library)));
 *   },
 * });
 * ```
 */
export function definePlugin<
  R extends ContractMap = {},
  O extends ContractMap = {},
  S extends z.ZodType = z.ZodType<{}>,
>(options: PluginOptions<R, O, S>): PluginDefinition {
  if (typeof (options as object | undefined) !== "object")
    throw new TypeError("definePlugin takes an object: write definePlugin({ activate(capabilities, context) { … } }).");
  const unknown = Object.keys(options).find((name) => !definitionFields.has(name));
  if (unknown !== undefined)
    throw new TypeError(`definePlugin has no field "${unknown}"; there are ${[...definitionFields].join(", ")}.`);
  return Object.freeze({
    requires: options.requires ?? {},
    optional: options.optional ?? {},
    settings: options.settings,
    migrations: options.migrations ?? [],
    activate: options.activate as PluginDefinition["activate"],
    deactivate: options.deactivate,
  });
}
