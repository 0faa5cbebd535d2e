import { isLongboxError, LongboxError, type PluginContext, type PluginDefinition, type Releasable } from "@longbox/sdk";
import type { Rules } from "../../contracts/contribution-rules.js";
import { endThing, OwnedThings } from "../../running/owned-things.js";
import { PluginStopped } from "../../running/plugin-stopped.js";
import { makeTopic } from "../../running/topics.js";
import { checkOpened } from "../../running/undeclared.js";
import type { Beginning, ToldPlugin } from "../agreement.js";
import type { Channel } from "../wire/channel.js";
import { methodsOf } from "../wire/methods.js";
import { InnerCapabilities } from "./inner-capabilities.js";
import { InnerPoints } from "./inner-points.js";
import { InnerSettings } from "./inner-settings.js";
import { innerStorage } from "./inner-storage.js";
import { innerOutgoing } from "./outgoing.js";
import { parseJsonHere } from "./parsing.js";
import { CannotIsolate } from "./refusals.js";
import { refuseMistakes } from "../../examining/mistakes.js";
import { untellableIn } from "../../examining/routes.js";
import {
  checkGivenContract,
  checkGivenContribution,
  checkGivenRoutes,
  checkGivenRules,
  checkGivenToken,
  checkOwned,
} from "../../running/given.js";
import { tellRoute } from "./routes.js";

export interface InnerParts {
  readonly plugin: ToldPlugin;
  readonly definition: PluginDefinition;
  readonly beginning: Beginning;
  readonly channel: Channel;
}

/** One activation, inside of the process: the context of the plugin, and what it owns. */
export class InnerActivation {
  readonly settings: InnerSettings;
  readonly capabilities: InnerCapabilities;
  readonly points: InnerPoints;
  readonly #parts: InnerParts;
  readonly #abort = new AbortController();
  readonly #things = new OwnedThings();

  constructor(parts: InnerParts) {
    const { channel, definition, beginning } = parts;
    this.#parts = parts;
    this.settings = new InnerSettings(definition.settings, beginning.settings, {
      failed: (fault) => this.#report(fault, "a listener of the settings"),
      misfit: (setting, message) =>
        channel.tell("log", ["warn", "A stored setting no longer fits; its default is used.", { setting, message }]),
    });
    this.capabilities = new InnerCapabilities(channel, definition, beginning.optional);
    this.points = new InnerPoints(channel, beginning.contributions);
  }

  async activate(): Promise<void> {
    const { definition } = this.#parts;
    // The manifest has been checked against the definition; the types of both are only known to the plugin.
    await definition.activate(this.capabilities.given as never, this.#context() as never);
    this.points.refresh();
  }

  async deactivate(): Promise<void> {
    await this.#parts.definition.deactivate?.();
  }

  /** Releases what the plugin owns, newest first. */
  async release(): Promise<void> {
    this.points.release();
    this.#abort.abort(
      new LongboxError("unavailable", "kernel/plugin-stopped", `The plugin "${this.#parts.plugin.id}" has stopped.`),
    );
    await this.#things.releaseAll(async (thing) => {
      try {
        await endThing(thing);
      } catch (fault) {
        this.#report(fault, "releasing what it held");
      }
    });
  }

  #own<T extends Releasable>(handle: T): T {
    return this.#things.add(this.#things.forgetting(handle));
  }

  #report(fault: unknown, where: string): void {
    const { message, stack } = fault instanceof Error ? fault : new Error(String(fault));
    this.#parts.channel.tell("fault", [{ message, stack }, where]);
  }

  #context(): PluginContext {
    const { plugin, channel, beginning } = this.#parts;
    const tell = (level: string) => (message: string, fields?: Record<string, unknown>) =>
      channel.tell("log", [level, message, plain(fields)]);
    return {
      plugin: { id: plugin.id, package: plugin.package, version: plugin.version },
      log: { debug: tell("debug"), info: tell("info"), warn: tell("warn"), error: tell("error") },
      signal: this.#abort.signal,
      settings: this.settings,
      storage: innerStorage(channel, beginning.storage),
      parseJson: parseJsonHere,
      memory: {
        limitBytes: beginning.memoryLimitBytes,
        reserve: (bytes, signal) => channel.call("memory", [bytes, signal]) as Promise<Releasable>,
      },
      own: (thing) => {
        checkOwned(plugin.id, thing);
        return this.#things.add(thing);
      },
      topic: <T>(name: string) => this.#own(this.#topic<T>(name)),
      ...innerOutgoing(channel),
      ...this.#offering(),
      ...this.#announcing(),
      ...refused,
    };
  }

  #topic<T>(name: string) {
    const { id } = this.#parts.plugin;
    const owner = { id, stopped: () => new PluginStopped(id) };
    return makeTopic<T>(owner, name, {
      subscriber: () => owner,
      report: (_, fault, where) => this.#report(fault, where),
    });
  }

  #offering(): Pick<PluginContext, "provide" | "routes" | "open" | "contribute"> {
    const { channel, plugin } = this.#parts;
    return {
      provide: (token, implementation) => {
        checkGivenContract(plugin.id, token, implementation);
        const { id, version } = token;
        const told = { rule: "all", place: `The contract ${id}` } as const;
        channel.tell("provide", [{ id, version }, facade(implementation)], told);
      },
      routes: (routes) => {
        checkGivenRoutes(plugin.id, routes);
        // What cannot be told of them, the kernel could not find out.
        refuseMistakes(plugin.id, routes.flatMap(untellableIn));
        channel.tell("routes", [routes.map(tellRoute)], { rule: "all", place: "A route" });
      },
      open: (point, rules) => {
        checkGivenToken(plugin.id, "open", point);
        checkGivenRules(plugin.id, point, rules);
        checkOpened(plugin.id, plugin.manifest, point);
        return this.#own(this.points.open(point, rules as Rules));
      },
      contribute: (point, contribution) => {
        checkGivenContribution(plugin.id, point, contribution);
        return this.#own(this.points.contribute(point, contribution));
      },
    };
  }

  #announcing(): Pick<PluginContext, "changed" | "onUserDeleted" | "onUserAdopted"> {
    const { channel } = this.#parts;
    return {
      changed: (domain, options) => channel.tell("changed", [domain, options?.userIds]),
      onUserDeleted: (listener) => channel.tell("onUserDeleted", [listener], { rule: "all" }),
      onUserAdopted: (listener) => channel.tell("onUserAdopted", [listener], { rule: "all" }),
    };
  }
}

/** What needs the server's own process. */
const refused: Pick<PluginContext, "worker" | "workerUrl"> = {
  worker: () => {
    throw new CannotIsolate(
      "it starts a worker (context.worker), and no thread can be fenced in. Do the work in the plugin's own process, which holds up nothing else.",
    );
  },
  workerUrl: () => {
    throw new CannotIsolate(
      "it hands out the module of a worker (context.workerUrl), which would run inside of the server.",
    );
  },
};

/** An object whose methods are called from the kernel: only its methods cross, so that its fields may be anything. */
function facade(implementation: object): object {
  const methods = methodsOf(implementation).map((name) => {
    const method = (...given: unknown[]): unknown =>
      Reflect.apply(Reflect.get(implementation, name) as Function, implementation, given);
    return [name, method] as const;
  });
  return Object.fromEntries(methods);
}

/** Fields of a line of the log, as JSON shows them. */
function plain(fields: Record<string, unknown> | undefined): unknown {
  if (fields === undefined) return undefined;
  const shown = (_: string, value: unknown): unknown =>
    value instanceof Error
      ? { message: value.message, ...(isLongboxError(value) && { code: value.code }) }
      : typeof value === "bigint"
        ? String(value)
        : value;
  return JSON.parse(JSON.stringify(fields, shown)) as unknown;
}
