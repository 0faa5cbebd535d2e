import type { z } from "zod";
import type { Logger } from "./log.js";
import type { Releasable } from "./releasable.js";
import type { Route } from "./route.js";
import type { Migration, PluginStorage } from "./storage.js";
import type { Contract, ExtensionPoint } from "./token.js";

/** What the plugin's settings are now, and when they change. */
export interface PluginSettings<S> {
  readonly current: S;
  onChange(listener: (next: S, previous: S) => void): Releasable;
}

/** Everything that has been added to an extension point, in the order of the contributors' ids. */
export interface Contributions<T> {
  all(): ReadonlyArray<T>;
  /** The same, each with the id of the plugin that added it. */
  entries(): ReadonlyArray<{ readonly plugin: string; readonly contribution: T }>;
  onChange(listener: () => void): Releasable;
}

/** An in-process event of one plugin; a listener that throws is reported and does not disturb the others. */
export interface Topic<T> {
  publish(value: T): void;
  subscribe(listener: (value: T) => void): Releasable;
}

/** A thread that runs one of the plugin's declared workers. It ends with the plugin. */
export interface PluginWorker<In = unknown, Out = unknown> extends Releasable {
  post(message: In, transfer?: readonly ArrayBuffer[]): void;
  onMessage(listener: (message: Out) => void): Releasable;
  /** Settles when the thread ends: resolves after a normal end or a release, rejects with what it died of. */
  readonly ended: Promise<void>;
}

/**
 * What an activation may use. Whatever is registered or opened through it belongs to that activation, and the kernel
 * releases it, newest first, when the plugin stops.
 */
export interface PluginContext<S = unknown> {
  readonly plugin: { readonly id: string; readonly package: string; readonly version: string };
  readonly log: Logger;
  /** Aborts when the plugin stops. */
  readonly signal: AbortSignal;
  readonly settings: PluginSettings<S>;
  readonly storage: PluginStorage;
  /** Gives other plugins the contract that the manifest says this plugin provides. */
  provide<T extends object>(token: Contract<T>, implementation: T): void;
  routes(routes: readonly Route[]): void;
  /** Keeps a thing until the plugin stops, then releases it. Returns it. */
  own<T extends Releasable | Disposable | AsyncDisposable>(thing: T): T;
  /** Tells clients that a domain, declared in the manifest's `events`, should be fetched again. Bursts are joined. */
  changed(domain: string): void;
  topic<T>(name: string): Topic<T>;
  /** Opens an extension point of this plugin. */
  open<T extends object>(point: ExtensionPoint<T>): Contributions<T>;
  /** Adds to an extension point, whoever opens it and whenever. */
  contribute<T extends object>(point: ExtensionPoint<T>, contribution: T): Releasable;
  /** Starts one of the `workers` that the manifest declares. */
  worker<In = unknown, Out = unknown>(name: string, workerData?: unknown): PluginWorker<In, Out>;
  /** The way out to other servers: the standard `fetch`, ended when the plugin stops. */
  readonly fetch: typeof fetch;
  /** Called when an account is deleted, so that what is kept for it goes too. The deletion waits for the promise. */
  onUserDeleted(listener: (userId: number) => Promise<void>): void;
  /** Called when the first account takes over what the local admin (user 0) owned. */
  onUserAdopted(listener: (change: { from: number; to: number }) => Promise<void>): void;
}

type ContractMap = Record<string, Contract<any>>;
type Resolved<R extends ContractMap> = { readonly [K in keyof R]: R[K] extends Contract<infer T> ? T : never };
/** Optional capabilities are stand-ins too; `available()` says whether somebody provides them now. */
export interface OptionalCapability<T> {
  available(): boolean;
  /** The stand-in; calls while nobody provides it are refused with `capability-gone`. */
  readonly use: T;
  onAvailability(listener: (available: boolean) => void): Releasable;
}
type ResolvedOptional<O extends ContractMap> = { readonly [K in keyof O]: O[K] extends Contract<infer T> ? OptionalCapability<T> : never };

export interface PluginOptions<R extends ContractMap, O extends ContractMap, S extends z.ZodType> {
  requires?: R;
  optional?: O;
  /** An object schema with a default for every key and a title by `.meta({ title })`. */
  settings?: S;
  migrations?: readonly Migration[];
  activate(capabilities: Resolved<R> & ResolvedOptional<O>, context: PluginContext<z.output<S>>): Promise<void> | void;
  /** A courtesy before everything is released; nothing may depend on it. */
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
export function definePlugin<R extends ContractMap = {}, O extends ContractMap = {}, S extends z.ZodType = z.ZodType<{}>>(options: PluginOptions<R, O, S>): PluginDefinition {
  return Object.freeze({
    requires: options.requires ?? {},
    optional: options.optional ?? {},
    settings: options.settings,
    migrations: options.migrations ?? [],
    activate: options.activate as PluginDefinition["activate"],
    deactivate: options.deactivate,
  });
}
