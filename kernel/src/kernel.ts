import { LongboxError } from "@longbox/sdk";
import { Access } from "./access/access.js";
import { backupRoutes, Backups, BackupUpload } from "./backup/index.js";
import { OfferedStatusParts } from "./access/access-tokens.js";
import { compose } from "./composition.js";
import type { Parts } from "./injection.js";
import { EventHub } from "./events/event-hub.js";
import { keepHistory } from "./events/kept-history.js";
import { HttpDoor } from "./http/receiving/http-door.js";
import { kernelRoutes } from "./http/kernel-routes/kernel-routes.js";
import { roomRoutes } from "./http/kernel-routes/room-routes.js";
import type { RouteOwner } from "./http/routing/mounting.js";
import { Routes } from "./http/routing/routes.js";
import { provideInspection } from "./inspection.js";
import type { KernelOptions } from "./kernel-options.js";
import { Stores } from "./kernel-stores.js";
import { Logs } from "./logging/logs.js";
import type { ServerLog } from "./logging/server-log.js";
import { AuditTrail } from "./plugins/audit.js";
import { Catalog } from "./plugins/packages/catalog.js";
import { LinkedFolders } from "./plugins/linked/linked-folders.js";
import { PluginHost } from "./plugins/plugin-host.js";
import { authorRoutes } from "./plugins/publishing/author-routes.js";
import { Authors } from "./plugins/publishing/authors.js";
import { Publishing } from "./plugins/publishing/publishing.js";
import { UseOfOwners } from "./measuring/use-of-owners.js";
import { pluginRoutes } from "./plugins/plugin-routes.js";
import { settingsRoutes } from "./settings/index.js";
import type { FormerEnds } from "./supervisor/repeated-ends.js";
import { kernelVersion } from "./versions.js";

/** A plugin kept the server waiting for too long, and the request was under way. */
class HeldUp extends LongboxError {
  constructor() {
    super(
      "unavailable",
      "kernel/held-up",
      "A plugin kept the whole server waiting, so that it is started again; try again.",
      undefined,
      { retryAfterSeconds: 2 },
    );
  }
}

/** How long answers may go on once the kernel has been asked to stop. */
const closeGraceMs = 5_000;

/** A kernel that has been put together: it can listen, run its plugins, and stop. */
export class Kernel {
  readonly #options: KernelOptions;
  readonly #parts: Parts;
  readonly #abort: AbortController;
  #stopped: Promise<void> | undefined;

  private constructor(options: KernelOptions, parts: Parts, abort: AbortController) {
    this.#options = options;
    this.#parts = parts;
    this.#abort = abort;
  }

  /** Opens the data folder, which must be this process's alone, and mounts the kernel's own routes. */
  static async open(options: KernelOptions, log: ServerLog, restart?: () => void): Promise<Kernel> {
    const abort = new AbortController();
    const kernel = new Kernel(options, await compose(options, log, abort.signal), abort);
    kernel.#mount(restart);
    provideInspection(kernel.#parts);
    return kernel;
  }

  get host(): PluginHost {
    return this.#parts.get(PluginHost);
  }

  get routes(): Routes {
    return this.#parts.get(Routes);
  }

  get access(): Access {
    return this.#parts.get(Access);
  }

  get stores(): Stores {
    return this.#parts.get(Stores);
  }

  get backups(): Backups {
    return this.#parts.get(Backups);
  }

  /**
   * @param opening - What requests wait for, all but those for the server's health
   * @returns the address
   */
  listen(opening?: Promise<unknown>): Promise<string> {
    const { host, port, socket } = this.#options;
    return this.#parts.get(HttpDoor).listen(socket ?? { host, port }, opening);
  }

  /**
   * Answers the requests under way, at once: a plugin keeps this process from turning, and it is about to be killed.
   */
  abandonRequests(): void {
    this.#parts.get(HttpDoor).abandon(new HeldUp());
  }

  /**
   * Starts what is installed and linked, and then what should be brought along.
   * @param before - how the runs before this one ended, if not in order
   * @returns how many plugins were brought along
   */
  async startPlugins(before?: FormerEnds): Promise<number> {
    const { defaultPlugins, linkedFolders } = this.#options;
    let installed = 0;
    await this.host.fleet.asStarting(async () => {
      for (const folder of linkedFolders) await this.#parts.get(LinkedFolders).open(folder);
      await this.host.start(before);
      installed = await this.host.installDefaults(defaultPlugins);
    });
    this.#parts.get(EventHub).started();
    return installed;
  }

  /** Ends answers, plugins and storage, in this order. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    this.#parts.get(EventHub).close();
    await this.#parts.get(HttpDoor).close(closeGraceMs);
    this.#parts.get(LinkedFolders).release();
    await this.host.stop();
    this.#abort.abort();
    await this.access.authentication.settle();
    await keepHistory(this.#options.dataFolder, this.#parts.get(EventHub).save());
    await this.stores.release();
    await this.#parts.dispose();
  }

  #mount(restart: (() => void) | undefined): void {
    const { routes } = this.#parts.get(HttpDoor);
    const log = this.#parts.get(Logs).logger("kernel");
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
        events: this.#parts.get(EventHub),
        statusParts: this.#parts.get(OfferedStatusParts),
        use: this.#parts.get(UseOfOwners),
        plugins: () => this.host.rows(),
        starting: () => this.#parts.get(HttpDoor).holds || this.host.starting,
        memoryOf: (plugin) => this.host.memoryOf(plugin),
        retiredModules: () => this.#parts.get(PluginHost).countRetiredModules(),
        log,
      }),
      ...settingsRoutes(this.stores.settings),
      ...backupRoutes({ backups: this.#parts.get(Backups), upload: this.#parts.get(BackupUpload), restart }),
      ...roomRoutes({ storing: this.stores.storing, backups: this.#parts.get(Backups) }),
      ...pluginRoutes({
        host: this.host,
        catalog: this.#parts.get(Catalog),
        audit: this.#parts.get(AuditTrail),
        use: this.#parts.get(UseOfOwners),
        restart,
      }),
      ...authorRoutes({ authors: this.#parts.get(Authors), publishing: this.#parts.get(Publishing) }),
    ]);
  }
}
