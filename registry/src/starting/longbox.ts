import { join } from "node:path";
import { kernelOptions, Supervisor } from "@longbox/kernel/supervisor";
import type { WorkspacePublication } from "../publishing/workspaces.js";
import { startRegistry, type Registry } from "../serving/registry.js";
import { machineRegistry } from "../serving/upstream.js";
import { kernelEnvironment } from "./kernel-environment.js";
import { registryPort } from "./registry-port.js";
import { recalledPublications, rememberPublications } from "./publications.js";
import { publishCheckout } from "./publishing.js";

export interface LongboxOptions {
  /** The root of the checkout. */
  root: string;
  dataFolder: string;
  /** A fingerprint of what was built; the same one means that nothing needs publishing. */
  build: string | undefined;
  /** A running registry to use instead of a local one. */
  registry: string | undefined;
  log: (line: string) => void;
}

/**
 * The registry and the kernel of one installation, started together and stopped together. The kernel's supervisor runs in this
 * process, which needs no other beside it while the server serves.
 */
export class Longbox {
  #registry: Registry | undefined;
  #supervisor: Supervisor | undefined;
  #stopping = false;
  readonly #options: LongboxOptions;

  constructor(options: LongboxOptions) {
    this.#options = options;
  }

  /** Starts both, and resolves with the kernel's exit code once it has ended. */
  async run(): Promise<number> {
    try {
      const { url, publications } = await this.#provideRegistry();
      if (this.#stopping) return 0;
      return await this.#runKernel(url, publications);
    } finally {
      this.#stopping = true;
      await this.#registry?.stop();
    }
  }

  /** Stops the kernel in an orderly way, and then the registry. */
  stop(): void {
    this.#stopping = true;
    this.#supervisor?.stop();
  }

  async #provideRegistry(): Promise<{ url: string; publications: WorkspacePublication[] }> {
    const { root, registry, build, dataFolder, log } = this.#options;
    const folder = join(dataFolder, "registry");
    // Reading package.json files brings the whole of packing with it, which most starts do without.
    if (registry) {
      const { listPublic } = await import("../publishing/workspaces.js");
      return { url: registry, publications: await listPublic(root) };
    }
    const recalled = await recalledPublications(folder, build);
    const port = await registryPort(folder);
    const opened = this.#openRegistry({ folder, port, asleep: recalled !== undefined });
    // The kernel does not need the registry during its start.
    if (recalled) return { url: `http://127.0.0.1:${port}`, publications: recalled };
    const address = await opened;
    if (!address) throw new Error("The registry did not start; see the lines above.");
    log("Publishing the packages …");
    const publications = await publishCheckout({ root, registry: address }, log);
    await rememberPublications(folder, build, publications);
    return { url: address.url, publications };
  }

  // Without its registry a running server only cannot install packages, so this never stops the server.
  async #openRegistry(place: { folder: string; port: number; asleep: boolean }): Promise<Registry | undefined> {
    const { log } = this.#options;
    const upstream = await machineRegistry();
    try {
      this.#registry = await startRegistry({ ...place, upstream, log: (line) => log(`registry: ${line}`) });
    } catch (error) {
      log(`The registry did not start: ${(error as Error).message}`);
      return undefined;
    }
    if (this.#stopping) await this.#registry.stop();
    return this.#registry;
  }

  async #runKernel(registry: string, publications: readonly WorkspacePublication[]): Promise<number> {
    const { root, dataFolder } = this.#options;
    const ownsRegistry = this.#options.registry === undefined;
    // The kernel inherits the environment of this process.
    Object.assign(process.env, kernelEnvironment(process.env, { dataFolder, registry, ownsRegistry, publications }));
    this.#supervisor = await Supervisor.open({
      ...kernelOptions(process.env),
      program: join(root, "kernel", "dist", "bin", "longbox.js"),
      parameters: [],
      linked: new Map(),
    });
    if (this.#stopping) this.#supervisor.stop();
    return this.#supervisor.run();
  }
}
