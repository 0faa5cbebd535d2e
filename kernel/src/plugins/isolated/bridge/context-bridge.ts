import {
  LongboxError,
  releasable,
  type KernelUsers,
  type Logger,
  type OptionalCapability,
  type PluginContext,
  type Releasable,
} from "@longbox/sdk";
import type { Manifest } from "@longbox/sdk/manifest";
import type { Beginning } from "../agreement.js";
import { endThing, OwnedThings } from "../../running/owned-things.js";
import type { Channel, Doors } from "../wire/channel.js";
import { guarded } from "./door-shapes.js";
import { OutgoingBridge } from "./outgoing-bridge.js";
import { PointsBridge, provided } from "./points-bridge.js";
import type { ReplyBridge } from "./reply-bridge.js";
import { routeOf, type Following } from "./route-bridge.js";
import type { StorageBridge } from "./storage-bridge.js";
import { toldViewers } from "./viewer-kind.js";

export interface ContextParts {
  readonly context: PluginContext;
  /** Contracts, by the names that the plugin gets them under. */
  readonly given: Readonly<Record<string, unknown>>;
  readonly manifest: Manifest;
  readonly optional: readonly string[];
  readonly users: Pick<KernelUsers, "onChanged">;
  readonly channel: () => Channel;
  readonly storage: StorageBridge;
  readonly replies: ReplyBridge;
  readonly follow: Following;
  readonly fault: (fault: Error, where: string) => void;
}

const levels = new Set(["debug", "info", "warn", "error"]);
type Level = keyof Logger;

/**
 * The context of one activation, as what its process may ask for. Everything goes through the context that other
 * plugins have.
 */
export class ContextBridge {
  readonly #parts: ContextParts;
  readonly #points: PointsBridge;
  readonly #outgoing: OutgoingBridge;
  readonly #subscriptions = new OwnedThings();

  constructor(parts: ContextParts) {
    this.#parts = parts;
    this.#points = new PointsBridge(parts.context, parts.channel);
    this.#outgoing = new OutgoingBridge({ context: parts.context, hosts: parts.manifest.hosts });
  }

  get doors(): Doors {
    return guarded({
      ...this.#parts.storage.doors,
      ...this.#outgoing.doors,
      ...this.#points.doors,
      ...this.#contracts(),
      ...this.#telling(),
      ...this.#offering(),
    });
  }

  /** What the process gets for `activate`. */
  begin(temporary: string): Beginning {
    const { context, given, optional, channel, manifest, storage, users } = this.#parts;
    context.own(releasable(() => this.#endSubscriptions()));
    context.own(users.onChanged((userIds) => setImmediate(() => this.#tellViewers(userIds))));
    context.own(context.settings.onChange((next) => channel().tell("settings", [next])));
    const available = optional.map((name) => {
      const capability = given[name] as OptionalCapability<object>;
      context.own(capability.onAvailability((now) => channel().tell("available", [name, now])));
      return [name, capability.available()] as const;
    });
    return {
      settings: context.settings.current as Readonly<Record<string, unknown>>,
      optional: Object.fromEntries(available),
      contributions: this.#points.open(manifest.opens),
      storage: {
        folder: context.storage.folder,
        temporary,
        engine: storage.engine,
        dataVersion: context.storage.dataVersion(),
      },
      memoryLimitBytes: context.memory.limitBytes,
    };
  }

  /** A moment later, so that the viewers themselves have followed. */
  #tellViewers(userIds: readonly number[]): void {
    const channel = this.#parts.channel();
    const changed = toldViewers(channel.sent(), userIds);
    if (changed.length > 0) channel.tell("viewers", [changed]);
  }

  #contracts(): Doors {
    const use = (name: string): Record<string, (...given: unknown[]) => unknown> => {
      const { given, optional } = this.#parts;
      const found = Object.hasOwn(given, name) ? given[name] : undefined;
      if (found === undefined)
        throw new LongboxError("internal", "kernel/cannot-cross", `The plugin asks for no contract "${name}".`);
      return (optional.includes(name) ? (found as OptionalCapability<object>).use : found) as never;
    };
    return {
      contract: (name: string, method: string, ...given: unknown[]) => use(name)[method]!(...given),
      subscribe: (name: string, method: string, ...given: unknown[]) => {
        if (!/^on[A-Z]/.test(method)) throw new TypeError(`"${method}" is not a subscription.`);
        const made = use(name)[method]!(...given) as Releasable;
        const held = this.#subscriptions.add(this.#subscriptions.forgetting(releasable(() => made.release())));
        return { release: async () => held.release() };
      },
    };
  }

  #endSubscriptions(): Promise<void> {
    return this.#subscriptions.releaseAll(async (held) => {
      try {
        await endThing(held);
      } catch (fault) {
        this.#parts.fault(fault as Error, "releasing what it held");
      }
    });
  }

  #telling(): Doors {
    const { context, fault } = this.#parts;
    return {
      log: (level: string, message: string, fields: Record<string, unknown> | undefined) =>
        context.log[levels.has(level) ? (level as Level) : "info"](String(message), fields),
      fault: ({ message, stack }: { message: string; stack?: string }, where: string) =>
        fault(
          Object.assign(new Error(String(message)), stack !== undefined && { stack: String(stack) }),
          String(where),
        ),
      changed: (domain: string, userIds: readonly number[] | undefined) =>
        context.changed(domain, userIds === undefined ? undefined : { userIds }),
      memory: async (bytes: number, signal: AbortSignal | undefined) => {
        const held = await context.memory.reserve(bytes, signal);
        return { release: async () => held.release() };
      },
    };
  }

  #offering(): Doors {
    const { context, replies, follow } = this.#parts;
    return {
      provide: ({ id, version }: { id: string; version: string }, methods: Record<string, unknown>) =>
        context.provide({ kind: "contract", id, version }, provided(id, methods, follow)),
      routes: (routes: readonly unknown[]) => context.routes(routes.map((route) => routeOf(route, replies, follow))),
      onUserDeleted: (listener: (userId: number) => Promise<void>) => context.onUserDeleted(listener),
      onUserAdopted: (listener: (change: { from: number; to: number }) => Promise<void>) =>
        context.onUserAdopted(listener),
    };
  }
}
