import type { InstalledPlugin, KernelPlugins, Releasable } from "@longbox/sdk";

const everyMs = 250;
/** What takes longer to start is not waited for. */
const patienceMs = 15_000;

/** Sources that start with the server: until they run, a search would miss what they have. */
export class StartingSources implements Releasable {
  #areStarting = true;
  #timer: NodeJS.Timeout | undefined;
  readonly #untilMs = Date.now() + patienceMs;

  constructor(
    private readonly plugins: Pick<KernelPlugins, "list">,
    private readonly keyword: string,
  ) {}

  get areStarting(): boolean {
    return this.#areStarting;
  }

  /** Looks until all of them run. @param settled - Called once */
  watch(settled: () => void): void {
    this.#timer = setTimeout(() => void this.#turn(settled), everyMs).unref();
  }

  release(): void {
    clearTimeout(this.#timer);
    this.#areStarting = false;
  }

  async #turn(settled: () => void): Promise<void> {
    // A kernel that cannot answer is stopping.
    if (await this.#look().catch(() => false)) return this.watch(settled);
    if (!this.#areStarting) return;
    this.#areStarting = false;
    settled();
  }

  async #look(): Promise<boolean> {
    if (!this.#areStarting || Date.now() > this.#untilMs) return false;
    return (await this.plugins.list(this.keyword)).some(isStarting);
  }
}

/** What lacks a requirement may only wait for a plugin that starts as well. */
const isStarting = ({ enabled, state }: InstalledPlugin) =>
  enabled && (state === "unsatisfied" || state === "upgrading");
