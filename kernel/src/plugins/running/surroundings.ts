import { LongboxError } from "@longbox/sdk";
import { inject, injectable, Parts } from "../../injection.js";
import { FaultReports } from "../containment/fault-reports.js";
import type { FaultReport } from "../containment/faults.js";
import { Capabilities } from "../contracts/capabilities.js";
import { HostParts } from "../host-parts.js";
import { PluginHostTuning } from "../host-tuning.js";
import { usualLimits, type RunningLimits } from "./running-limits.js";

/** What all activations share. */
@injectable()
export class Surroundings {
  readonly limits: RunningLimits;
  readonly report: FaultReport;
  readonly #stopping = new AbortController();

  constructor(
    @inject(Parts) readonly kernel: Parts,
    @inject(HostParts) readonly parts: HostParts,
    @inject(Capabilities) readonly capabilities: Capabilities,
    @inject(FaultReports) faults: FaultReports,
    @inject(PluginHostTuning) tuning: PluginHostTuning,
  ) {
    this.report = faults.report;
    this.limits = { ...usualLimits, ...tuning.limits };
  }

  /** Aborts when the kernel stops, so that plugins that are still starting stop as well. */
  get stopping(): AbortSignal {
    return this.#stopping.signal;
  }

  stop(): void {
    this.#stopping.abort(new LongboxError("unavailable", "kernel/stopping", "The server stops."));
  }
}
