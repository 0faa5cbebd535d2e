import { LongboxError, type PluginDefinition } from "@longbox/sdk";
import { inject, injectable, Parts } from "../../injection.js";
import { FaultReports } from "../containment/fault-reports.js";
import type { FaultReport } from "../containment/faults.js";
import { Capabilities } from "../contracts/capabilities.js";
import { HostParts } from "../host-parts.js";
import { PluginHostTuning } from "../host-tuning.js";
import { Isolation } from "../isolated/isolation.js";
import type { PluginOnDisk } from "../packages/plugin-package.js";
import { loadDefinition } from "./plugin-module.js";
import { usualLimits, type RunningLimits } from "./running-limits.js";

/** What all activations share. */
@injectable()
export class Surroundings {
  readonly limits: RunningLimits;
  readonly report: FaultReport;
  readonly #stopping = new AbortController();
  readonly #starts = new Map<string, AbortController>();
  /** The folders whose modules were loaded into this process, which Node keeps until it ends. */
  readonly #loaded = new Set<string>();

  constructor(
    @inject(Parts) readonly kernel: Parts,
    @inject(HostParts) readonly parts: HostParts,
    @inject(Capabilities) readonly capabilities: Capabilities,
    @inject(FaultReports) faults: FaultReports,
    @inject(PluginHostTuning) tuning: PluginHostTuning,
    @inject(Isolation) readonly isolation: Isolation,
  ) {
    this.report = faults.report;
    this.limits = { ...usualLimits, ...tuning.limits };
  }

  /** Aborts when the kernel stops, so that plugins that are still starting stop as well. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  /** For one start of a plugin: aborts when the kernel stops, or the start is given up. */
  beginStart(id: string): AbortSignal {
    const start = new AbortController();
    this.#starts.set(id, start);
    return AbortSignal.any([this.stopping, start.signal]);
  }

  /** Ends the last start of a plugin, if it is still under way: other operations would wait for it. */
  giveUpStart(id: string): void {
    this.#starts
      .get(id)
      ?.abort(new LongboxError("unavailable", "kernel/start-given-up", "It was disabled or removed while it started."));
    this.#starts.delete(id);
  }

  /** Loads a plugin where it is to run: in this process, or in one of its own. */
  load(plugin: PluginOnDisk): Promise<PluginDefinition> {
    if (this.isolation.of(plugin).mode === "process") return this.isolation.load(plugin);
    this.#loaded.add(plugin.folder);
    return loadDefinition(plugin, { limitMs: this.limits.activateMs, signal: this.stopping });
  }

  /**
   * How many versions of plugins are in memory only because Node cannot unload modules.
   * @param present - the folders of the versions that are installed now
   */
  countRetiredModules(present: ReadonlySet<string>): number {
    return [...this.#loaded].filter((folder) => !present.has(folder)).length;
  }

  stop(): void {
    this.#stopping.abort(new LongboxError("unavailable", "kernel/stopping", "The server stops."));
  }
}
