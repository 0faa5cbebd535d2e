import type { Access } from "./access/access.js";
import { backupRoutes, Backups } from "./backup/index.js";
import { compose, Kernel as Part, type KernelParts, type KernelPoints } from "./composition.js";
import { EventHub } from "./events/event-hub.js";
import { HttpDoor } from "./http/receiving/http-door.js";
import { kernelRoutes } from "./http/kernel-routes/kernel-routes.js";
import type { RouteOwner } from "./http/routing/mounting.js";
import { provideInspection } from "./inspection.js";
import type { KernelOptions } from "./kernel-options.js";
import type { Stores } from "./kernel-stores.js";
import type { ServerLog } from "./logging/server-log.js";
import { AuditTrail } from "./plugins/audit.js";
import { Catalog } from "./plugins/packages/catalog.js";
import { readLinkedFolder } from "./plugins/packages/linking.js";
import { PluginHost } from "./plugins/plugin-host.js";
import { pluginRoutes } from "./plugins/plugin-routes.js";
import { settingsRoutes } from "./settings/index.js";
import { kernelVersion } from "./versions.js";

/** How long answers may go on once the kernel has been asked to stop. */
const closeGraceMs = 5_000;

/** A kernel that has been put together: it can listen, run its plugins, and stop. */
export class Kernel {
  readonly #parts: KernelParts;
  readonly #abort: AbortController;
  readonly #log: ServerLog;
  #stopped: Promise<void> | undefined;

  private constructor(parts: KernelParts, abort: AbortController, log: ServerLog) {
    this.#parts = parts;
    this.#abort = abort;
    this.#log = log;
  }

  /** Opens the data folder, which must be this process's alone, and mounts the kernel's own routes. */
  static async open(options: KernelOptions, log: ServerLog, restart?: () => void): Promise<Kernel> {
    const abort = new AbortController();
    const kernel = new Kernel(await compose(options, log, abort.signal), abort, log);
    kernel.#mount(restart);
    provideInspection(kernel.#parts);
    return kernel;
  }

  get host(): PluginHost {
    return this.#parts.resolve(PluginHost);
  }

  get access(): Access {
    return this.#parts.resolve(Part.Access);
  }

  get stores(): Stores {
    return this.#parts.resolve(Part.Stores);
  }

  get backups(): Backups {
    return this.#parts.resolve(Backups);
  }

  /** @returns the address */
  listen(): Promise<string> {
    const { host, port, socket } = this.#parts.resolve(Part.Options);
    return this.#parts.resolve(HttpDoor).listen(socket ?? { host, port });
  }

  /**
   * Starts what is installed and linked, and then what should be brought along.
   * @param blocked - the plugin of which the last run died: it is left out
   */
  async startPlugins(blocked?: { readonly plugin: string; readonly reason: string }): Promise<void> {
    const { defaultPlugins, linkedFolders } = this.#parts.resolve(Part.Options);
    for (const folder of linkedFolders) this.host.link(await readLinkedFolder(folder));
    await this.host.start(blocked);
    await this.host.installDefaults(defaultPlugins);
  }

  /** Ends answers, plugins and storage, in this order. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    this.#parts.resolve(EventHub).close();
    await this.#parts.resolve(HttpDoor).close(closeGraceMs);
    await this.host.stop();
    this.#abort.abort();
    await this.access.authentication.settle();
    await this.stores.release();
    await this.#parts.dispose();
  }

  #mount(restart: (() => void) | undefined): void {
    const { routes } = this.#parts.resolve(HttpDoor);
    const { statusParts }: KernelPoints = this.#parts.resolve(Part.Points);
    const log = this.#log.logger("kernel");
    const owner: RouteOwner = {
      id: "kernel",
      signal: this.#abort.signal,
      run: (work) => work(),
      reportFault: (fault, where) => log.error(`A fault in ${where}.`, { fault: String(fault) }),
    };
    routes.mount(owner, [
      ...kernelRoutes(this.access, {
        version: kernelVersion,
        routes,
        events: this.#parts.resolve(EventHub),
        statusParts,
        log,
      }),
      ...settingsRoutes(this.stores.settings),
      ...backupRoutes(this.#parts.resolve(Backups)),
      ...pluginRoutes({
        host: this.host,
        catalog: this.#parts.resolve(Catalog),
        audit: this.#parts.resolve(AuditTrail),
        restart,
      }),
    ]);
  }
}
