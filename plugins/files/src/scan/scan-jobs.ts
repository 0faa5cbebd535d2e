import type { Logger } from "@longbox/sdk";
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

/** Shows scans among the jobs, where they can be cancelled. After a restart the scan itself is taken up again, as another job. */
export class ScanJobs {
  constructor(
    private readonly jobs: JobsContract,
    private readonly log: Logger,
    private readonly signal: AbortSignal,
  ) {}

  show(scan: ScanUnderWay): void {
    this.jobs
      .run("files.scan", scan.title, (control) => this.#mirror(scan, control), { signal: this.signal })
      .catch((thrown: unknown) => {
        if (!this.signal.aborted) this.log.warn("A scan could not be shown among the jobs", { error: thrown });
      });
  }

  async #mirror({ state, ended, stop }: ScanUnderWay, control: JobControl): Promise<string | undefined> {
    control.signal.addEventListener("abort", stop, { once: true });
    if (control.signal.aborted) stop();
    const { message, error } = await follow(state, control, () => ended);
    control.signal.throwIfAborted();
    if (error !== undefined) throw new Error(error);
    return message;
  }
}
