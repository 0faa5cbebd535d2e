import { performance } from "node:perf_hooks";
import type { PluginDefinition } from "@longbox/sdk";
import type { Beginning, Contributed, Description, ToldPlugin, ToldStep, ToldViewer } from "../agreement.js";
import type { Mistake } from "../../examining/mistakes.js";
import type { TriedPlugin } from "../../examining/trial.js";
import { sayProblem } from "../../../parsing/input-problems.js";
import type { SettingIssue } from "../../../settings/checking-elsewhere.js";
import { shareSingletonsWithAll } from "../../running/host-singletons.js";
import { loadDefinition } from "../../running/plugin-module.js";
import type { Channel, Doors } from "../wire/channel.js";
import { InnerActivation } from "./inner-activation.js";
import { describe } from "./describing.js";
import { migrateBy } from "./migrating.js";
import { CannotIsolate } from "./refusals.js";
import { HeldViewer } from "./viewers.js";

/** The kernel waits for the process, with limits of its own. */
const loadLimitMs = 600_000;

/** What the kernel may ask of the process of a plugin. */
export class PluginInProcess {
  readonly #channel: () => Channel;
  #definition: Promise<{ plugin: ToldPlugin; definition: PluginDefinition }> | undefined;
  #activation: InnerActivation | undefined;
  #folder: string | undefined;

  constructor(channel: () => Channel) {
    this.#channel = channel;
  }

  readonly doors: Doors = {
    ping: () => performance.now(),
    try: (plugin: TriedPlugin) => this.#try(plugin),
    load: async (plugin: ToldPlugin) => void (await this.#load(plugin)),
    describe: (): Promise<Description> => this.#loaded().then(({ definition }) => describe(definition)),
    migrate: async (name: string, step: ToldStep) => migrateBy((await this.#loaded()).definition, name, step),
    activate: (beginning: Beginning) => this.#activate(beginning),
    deactivate: async () => this.#activation?.deactivate(),
    release: async () => this.#activation?.release(),
    checkSettings: async (values: Readonly<Record<string, unknown>>) =>
      issuesOf((await this.#loaded()).definition.settings, values),
    settings: (values: Readonly<Record<string, unknown>>) => this.#activation?.settings.adopt(values),
    available: (name: string, isAvailable: boolean) => this.#activation?.capabilities.tell(name, isAvailable),
    viewers: (changed: readonly ToldViewer[]) => {
      for (const told of changed) {
        const held = this.#channel().received(told.number);
        if (held instanceof HeldViewer) held.become(told);
      }
    },
    contributions: (point: string, entries: readonly Contributed[]) => this.#activation?.points.tell(point, entries),
  };

  /** Where the code of the plugin lies; undefined before it is loaded. */
  get folder(): string | undefined {
    return this.#folder;
  }

  /** What goes wrong outside of a call of the kernel. */
  report(fault: unknown, where: string): void {
    this.#channel().tell("fault", [
      fault instanceof Error ? { message: fault.message, stack: fault.stack } : { message: String(fault) },
      where,
    ]);
  }

  /** What went wrong in code of some plugin of this process. */
  mention(fault: unknown, where: string): void {
    const message =
      "Code in the process that it shares with other plugins failed. It is not known which plugin's code it was.";
    const { message: told, stack } = fault instanceof Error ? fault : new Error(String(fault));
    this.#channel().tell("log", ["error", message, { where, fault: told, stack }]);
  }

  /** For a package that has not been accepted: it sees no environment. */
  async #try(plugin: TriedPlugin): Promise<readonly Mistake[]> {
    for (const name of Object.keys(process.env)) delete process.env[name];
    // No other process needs what examines.
    const { tryPlugin } = await import("../../examining/trial.js");
    return tryPlugin(plugin);
  }

  #load(plugin: ToldPlugin): Promise<unknown> {
    shareSingletonsWithAll();
    this.#folder = plugin.folder;
    this.#definition ??= loadDefinition(plugin, { limitMs: loadLimitMs }).then((definition) => ({
      plugin,
      definition,
    }));
    return this.#definition;
  }

  #loaded(): Promise<{ plugin: ToldPlugin; definition: PluginDefinition }> {
    return this.#definition ?? Promise.reject(new CannotIsolate("The plugin has not been loaded."));
  }

  async #activate(beginning: Beginning): Promise<void> {
    const { plugin, definition } = await this.#loaded();
    this.#activation = new InnerActivation({ plugin, definition, beginning, channel: this.#channel() });
    await this.#activation.activate();
  }
}

function issuesOf(schema: PluginDefinition["settings"], values: Readonly<Record<string, unknown>>): SettingIssue[] {
  const parsed = schema?.safeParse(values, { error: sayProblem });
  if (!parsed || parsed.success) return [];
  return parsed.error.issues.map(({ path, message }) => ({ path: path.map(String), message }));
}
