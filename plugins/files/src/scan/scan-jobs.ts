import type { Logger, OptionalCapability } from "@longbox/sdk";
import type { JobControl, JobsContract } from "@longbox/operations/contract";
import type { RunningState } from "../running-state.js";
import { follow } from "../tools/following.js";
import type { ScanResult } from "./scan-result.js";

/** A scan that is under way. */
export interface ScanUnderWay {
  readonly title: string;
  readonly state: () => RunningState;
  /** Never rejects. */
  readonly ended: Promise<ScanResult>;
  stop(): void;
}

/**
 * Shows scans among the jobs, where a plugin keeps jobs. A scan does not depend on its job: it begins without waiting for
 * it, and goes on when that plugin goes away.
 */
export class ScanJobs {
  constructor(
    private readonly jobs: OptionalCapability<JobsContract>,
    private readonly log: Logger,
    private readonly signal: AbortSignal,
  ) {}

  show(scan: ScanUnderWay): void {
    if (!this.jobs.available()) return;
    this.jobs.use
      .run("files.scan", scan.title, (control) => this.#mirror(scan, control), { signal: this.signal })
      .catch((thrown: unknown) => {
        if (!this.signal.aborted) this.log.warn("A scan could not be shown among the jobs", { error: thrown });
      });
  }

  async #mirror({ state, ended, stop }: ScanUnderWay, control: JobControl): Promise<string | undefined> {
    const cancel = () => {
      // What stops with the plugin of the jobs is the job alone.
      if (this.jobs.available()) stop();
    };
    control.signal.addEventListener("abort", cancel, { once: true });
    if (control.signal.aborted) cancel();
    const { message, error } = await follow(state, control, () => ended);
    control.signal.throwIfAborted();
    if (error !== undefined) throw new Error(error);
    return message;
  }
}
