import { kernelOptions, Supervisor } from "@longbox/kernel/supervisor";
import { startRegistry, type Registry } from "../serving/registry.js";
import { machineRegistry } from "../serving/upstream.js";

export interface KeptRegistry {
  readonly folder: string;
  readonly port: number;
  /** The registry behind it, as far as that is known; npm is asked for it otherwise. */
  readonly upstream?: string;
}

/** What is to be kept running. Where the kernel finds its data and its registry is in the environment. */
export interface Keeping {
  /** The program of the kernel. */
  readonly program: string;
  /** Where the registry of this server is; missing when it uses another. */
  readonly registry?: KeptRegistry | undefined;
}

/**
 * The registry's address and the kernel of one installation, started together and stopped together. The kernel's
 * supervisor runs in this process, which needs no other beside it while the server serves, and loads nothing else.
 */
export class Keeper {
  readonly #keeping: Keeping;
  readonly #log: (line: string) => void;
  #supervisor: Supervisor | undefined;
  #stopping = false;

  constructor(keeping: Keeping, log: (line: string) => void) {
    this.#keeping = keeping;
    this.#log = log;
  }

  /** Starts both, and resolves with the kernel's exit code once it has ended. */
  async run(): Promise<number> {
    const registry = this.#openRegistry();
    // The first kernel installs plugins at once. Later ones do not need the registry during their start, and npm is
    // slow.
    if (this.#keeping.registry?.upstream !== undefined) await registry;
    try {
      this.#supervisor = await Supervisor.open({
        ...kernelOptions(process.env),
        program: this.#keeping.program,
        parameters: [],
        linked: new Map(),
      });
      return this.#stopping ? 0 : await this.#supervisor.run();
    } finally {
      await (await registry)?.stop();
    }
  }

  /** Stops the kernel in an orderly way, and then the registry. */
  stop(): void {
    this.#stopping = true;
    this.#supervisor?.stop();
  }

  // Without its registry a running server only cannot install packages, so this never stops the server.
  async #openRegistry(): Promise<Registry | undefined> {
    const { registry } = this.#keeping;
    if (registry === undefined) return undefined;
    const log = (line: string) => this.#log(`registry: ${line}`);
    try {
      const upstream = registry.upstream ?? (await machineRegistry());
      return await startRegistry({ ...registry, upstream, asleep: true, log });
    } catch (error) {
      this.#log(`The registry did not start: ${(error as Error).message}`);
      return undefined;
    }
  }
}
