import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { LongboxError, within, type Conflict, type PluginDefinition, type PluginSettings } from "@longbox/sdk";
import type { ClientManifest } from "@longbox/sdk/manifest";
import type { OpenStorage } from "../../storage/storing.js";
import { Activation } from "./activation.js";
import { ContextMaking } from "./activation-context.js";
import { ActivatedDefinition, ActivatedPlugin, ActivatedStorage, type Activated } from "./activated.js";
import { Surroundings } from "./surroundings.js";
import { runAs } from "../containment/attribution.js";
import { causedBy } from "../containment/request-cause.js";
import { startIsolated } from "../isolated/isolation.js";
import type { IsolatedPlugin } from "../isolated/isolated-plugin.js";
import { Registrations, type PublishedBefore } from "./registrations.js";
import type { PluginOnDisk } from "../packages/plugin-package.js";
import { inject, injectable, Parts } from "../../injection.js";
import { withTitle } from "../../settings/index.js";

class StartTooSlow extends LongboxError {
  constructor(id: string, limitMs: number) {
    super("internal", "kernel/activate-too-slow", `The plugin "${id}" did not start within ${limitMs} ms.`);
  }
}

/** An activated plugin: its resources, its contributions, and how both are ended. */
@injectable()
export class RunningPlugin {
  /** Its start has migrated the data: earlier versions may not be able to read it. */
  migrated = false;
  /** The process that it runs in, when it is not the server's own. */
  isolated: IsolatedPlugin | undefined;
  #stopped: Promise<void> | undefined;
  #deactivated: Promise<void> | undefined;
  #released: Promise<void> | undefined;

  constructor(
    @inject(ActivatedPlugin) readonly plugin: PluginOnDisk,
    @inject(ActivatedDefinition) private readonly definition: PluginDefinition,
    @inject(ActivatedStorage) private readonly storage: OpenStorage,
    @inject(Activation) readonly activation: Activation,
    @inject(Registrations) readonly registrations: Registrations,
    @inject(ContextMaking) private readonly contexts: ContextMaking,
    @inject(Surroundings) private readonly running: Surroundings,
    @inject(Parts) private readonly scope: Parts,
  ) {
    activation.own(storage);
    storage.onRefused(() => activation.noteRefused());
    // A statement of a stranger that never ends would keep a processor busy until the server ends.
    if (activation.isGuest) storage.readApart();
  }

  /**
   * Activates a plugin without showing it, in a container of its own. When that fails, everything it has opened
   * is released again.
   */
  static async activate({ plugin, definition, storage }: Activated, running: Surroundings): Promise<RunningPlugin> {
    const isolated = await startOrClose(definition, storage);
    const made = new Parts(running.kernel)
      .value(ActivatedPlugin, plugin)
      .value(ActivatedDefinition, isolated?.definition ?? definition)
      .value(ActivatedStorage, storage)
      .classes(Activation, Registrations, ContextMaking, RunningPlugin)
      .get(RunningPlugin);
    made.isolated = isolated && made.activation.own(isolated);
    try {
      const wanted = running.beginStart(plugin.id);
      made.migrated = (await made.#migrate(wanted)) > 0;
      await made.#activate(wanted);
      return made;
    } catch (failure) {
      // What fails after its process has ended, fails because of that.
      const ended = isolated?.ended?.fault;
      await made.release();
      throw ended ?? failure;
    }
  }

  /** Makes it reachable. @returns the outranked plugins that have to be stopped, with the reason */
  publish(before: PublishedBefore = {}): ReadonlyMap<string, Conflict> {
    const displaced = this.registrations.publish(before);
    const { manifest, folder, hash, id } = this.plugin;
    const { files } = this.running.parts;
    if (manifest.client) this.activation.own(files.assets(`${id}/${hash}`, folder, clientFiles(manifest.client)));
    if (manifest.site) this.activation.own(files.site(path.join(folder, manifest.site)));
    return displaced;
  }

  /** Releases everything that was opened for it, newest first. */
  release(): Promise<void> {
    this.#released ??= this.scope.dispose();
    return this.#released;
  }

  /** Ends what it does, but keeps its place until another takes it: requests that wait still find its routes. */
  async vacate(): Promise<void> {
    await this.activation.drained(this.running.limits.drainMs);
    await this.#deactivate();
    await this.release();
  }

  /** Withdraws its contributions, waits for requests under way, and releases its resources. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  /** Ends after another version has replaced it: requests under way may finish on it, within the limit. */
  retire(): Promise<void> {
    this.#stopped ??= this.#retire();
    return this.#stopped;
  }

  async #retire(): Promise<void> {
    const { retireMs } = this.running.limits;
    await Promise.all([this.activation.drained(retireMs), this.registrations.ended(retireMs)]);
    await this.#end();
  }

  async #stop(): Promise<void> {
    await this.registrations.withdraw();
    await this.activation.drained(this.running.limits.drainMs);
    await this.#end();
  }

  async #end(): Promise<void> {
    await this.registrations.withdraw();
    await this.#deactivate();
    await this.release();
  }

  #deactivate(): Promise<void> {
    this.#deactivated ??= this.#callDeactivate();
    return this.#deactivated;
  }

  async #callDeactivate(): Promise<void> {
    const { deactivate } = this.definition;
    if (!deactivate) return;
    try {
      await within(
        runAs(this.activation, async () => deactivate()),
        {
          limitMs: this.running.limits.drainMs,
          failure: () => new Error("deactivate() did not finish in time."),
        },
      );
    } catch (fault) {
      this.activation.reportFault(fault, "deactivate");
    }
  }

  /** An abandoned migration is rolled back when its storage is closed. */
  #migrate(signal: AbortSignal): Promise<number> {
    const { limits } = this.running;
    return within(
      runAs(this.activation, () => this.storage.migrate(this.definition.migrations)),
      {
        limitMs: limits.migrateMs,
        signal,
        failure: () =>
          new LongboxError(
            "internal",
            "kernel/migration-too-slow",
            `The migrations of "${this.plugin.id}" did not end within ${limits.migrateMs / 1000} seconds. Nothing of the one that was running is kept.`,
          ),
      },
    );
  }

  async #activate(signal: AbortSignal): Promise<void> {
    const { parts, limits } = this.running;
    const { activation, plugin } = this;
    activation.own(parts.permissions.declare(plugin.id, plugin.manifest.permissions));
    activation.own(parts.events.declare(plugin.id, plugin.manifest.events));
    activation.own(parts.routes.claim(plugin.id, { basePaths: plugin.manifest.basePaths, pages: pagesOf(plugin) }));
    const context = this.contexts.make(this.#openSettings());
    const given = this.#capabilities();
    // The manifest has been checked against the definition; the types of both are only known to the plugin.
    const activate = async () => this.definition.activate(given as never, context as never);
    await within(
      // A request may have asked for the start; what the plugin does from then on, it does by itself.
      causedBy(undefined, () => runAs(activation, activate)),
      { limitMs: limits.activateMs, signal, failure: () => new StartTooSlow(plugin.id, limits.activateMs) },
    );
    this.#checkProvided();
  }

  #openSettings(): PluginSettings<unknown> {
    const { settings } = this.definition;
    if (!settings) return noSettings;
    const titled = withTitle(settings, this.plugin.manifest.title);
    const { isolated } = this;
    const check = isolated && ((values: Readonly<Record<string, unknown>>) => isolated.checkSettings(values));
    return this.activation.own(this.running.parts.settings.open(this.plugin.id, titled, check));
  }

  #capabilities(): Record<string, unknown> {
    const { capabilities } = this.running;
    const { requires, optional } = this.plugin.manifest;
    const given: Record<string, unknown> = {};
    const refused = () => this.activation.noteRefused();
    for (const [name, token] of Object.entries(this.definition.requires))
      given[name] = this.activation.own(capabilities.standIn(token.id, requires[token.id]!, refused)).use;
    for (const [name, token] of Object.entries(this.definition.optional))
      given[name] = this.activation.own(capabilities.optional(token.id, optional[token.id]!, refused));
    return given;
  }

  #checkProvided(): void {
    const missing = Object.keys(this.plugin.manifest.provides).filter(
      (capability) => !this.registrations.provides(capability),
    );
    if (missing.length === 0) return;
    throw new LongboxError(
      "internal",
      "kernel/capability-not-provided",
      `The plugin "${this.plugin.id}" declares that it provides ${missing.join(", ")}, and did not.`,
      { missing },
    );
  }
}

/** Starts the process of a plugin that has one of its own. Its storage is closed when that fails. */
async function startOrClose(definition: PluginDefinition, storage: OpenStorage): Promise<IsolatedPlugin | undefined> {
  try {
    return await startIsolated(definition, storage);
  } catch (failure) {
    await storage.release();
    throw failure;
  }
}

/** What a plugin shows in the web interface: its pages, and the files of its site. */
function pagesOf({ manifest, folder }: PluginOnDisk): string[] {
  const files = manifest.site === undefined ? [] : filesOf(path.join(folder, manifest.site));
  return [...(manifest.client?.pages ?? []).map((page) => page.path), ...manifest.sitePages, ...files];
}

function filesOf(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder).map((name) => `/${name}`) : [];
}

function clientFiles(client: ClientManifest): string[] {
  return [client.js, client.css].filter((file) => file !== undefined);
}

const noSettings: PluginSettings<unknown> = Object.freeze({
  current: Object.freeze({}),
  onChange: () => ({ release() {} }),
  unmasked: <V>(values: V) => values,
});
