import { once } from "node:events";
import type { ChildProcess } from "node:child_process";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { listPublic, type WorkspacePublication } from "../publishing/workspaces.js";
import { startRegistry, type Registry } from "../serving/registry.js";
import { machineRegistry } from "../serving/upstream.js";
import { registryPort } from "./registry-port.js";
import { startKernel } from "./kernel.js";
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
  onListening: (line: string) => void;
}

const patienceMs = 20_000;

/** The registry and the kernel of one installation, started together and stopped together. */
export class Longbox {
  #registry: Registry | undefined;
  #kernel: ChildProcess | undefined;
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
      const [code, signal] = await this.#runKernel(url, publications);
      return code ?? (this.#stopping || signal === "SIGTERM" ? 0 : 1);
    } finally {
      this.#stopping = true;
      await this.#registry?.stop();
    }
  }

  /** Stops the kernel in an orderly way, and then the registry. */
  async stop(): Promise<void> {
    this.#stopping = true;
    const kernel = this.#kernel;
    if (!kernel || kernel.exitCode !== null || kernel.signalCode !== null) return;
    kernel.kill("SIGTERM");
    const ended = once(kernel, "exit");
    const waited = await Promise.race([ended, delay(patienceMs, "late", { ref: false })]);
    if (waited === "late") kernel.kill("SIGKILL");
  }

  async #provideRegistry(): Promise<{ url: string; publications: WorkspacePublication[] }> {
    const { root, registry, build, dataFolder, log } = this.#options;
    const folder = join(dataFolder, "registry");
    if (registry) return { url: registry, publications: await listPublic(root) };
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

  async #runKernel(
    registry: string,
    publications: readonly WorkspacePublication[],
  ): Promise<[number | null, NodeJS.Signals | null]> {
    const { root, dataFolder, onListening } = this.#options;
    const defaults = publications
      .filter(({ isDefault }) => isDefault)
      .map(({ name, version }) => `${name}@${version}`)
      .join(",");
    this.#kernel = startKernel({
      program: join(root, "kernel", "dist", "bin", "longbox.js"),
      environment: {
        LONGBOX_DATA: dataFolder,
        LONGBOX_REGISTRY: registry,
        ...(this.#options.registry === undefined && {
          LONGBOX_REGISTRY_TOKEN_FILE: join(dataFolder, "registry", "token"),
        }),
        LONGBOX_DEFAULT_PLUGINS: process.env["LONGBOX_DEFAULT_PLUGINS"] ?? defaults,
      },
      onListening,
    });
    return (await once(this.#kernel, "exit")) as [number | null, NodeJS.Signals | null];
  }
}
