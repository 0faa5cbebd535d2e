import type { Job, JobControl, JobsContract, ResumableJob, Schedule } from "@longbox/operations/contract";
import { isLongboxError } from "@longbox/sdk";
import { RebuildRunning } from "../errors.js";

const kind = "shelves.rebuild";
const title = "Build the index of shelves";

interface RebuildingParts {
  readonly jobs: JobsContract;
  readonly signal: AbortSignal;
  /** Does the work. @returns what the job says at its end */
  readonly build: (control: JobControl) => Promise<string>;
  readonly changed: () => void;
}

export interface RebuildStatus {
  readonly running: boolean;
  readonly done: number;
  readonly total: number;
  readonly message?: string;
  readonly error?: string;
  readonly startedAt?: string;
}

/** Builds the index in a job: by hand, by night, and when there is none. */
export class Rebuilding {
  constructor(private readonly parts: RebuildingParts) {}

  /** @throws {RebuildRunning} */
  async start(): Promise<RebuildStatus> {
    const { jobs, signal, build, changed } = this.parts;
    try {
      await jobs.run(kind, title, build, { key: kind, input: {}, signal, onChange: changed });
    } catch (fault) {
      if (isLongboxError(fault) && fault.code === "operations/job-running") throw new RebuildRunning();
      throw fault;
    }
    return await this.status();
  }

  /** The same where it may run already, such as after a restart that interrupted it. */
  async ensure(): Promise<boolean> {
    try {
      await this.start();
      return true;
    } catch (fault) {
      if (fault instanceof RebuildRunning) return false;
      throw fault;
    }
  }

  async status(): Promise<RebuildStatus> {
    const job = await this.parts.jobs.findLatest([kind]);
    return job ? statusOf(job) : { running: false, done: 0, total: 0 };
  }

  resuming(): ResumableJob {
    return {
      kind,
      // What was read is in no snapshot until everything was, so it begins at the beginning.
      resume: (_, control) => this.parts.build(control),
      onChange: this.parts.changed,
    };
  }

  schedule(): Schedule {
    return {
      key: kind,
      title: "Index of shelves",
      description: "Compares the index of shelves with the whole library, in case anything was missed",
      cron: "40 4 * * *",
      enabled: true,
      run: async () => ((await this.ensure()) ? "The index is being built." : "The index was being built already."),
    };
  }
}

function statusOf(job: Job): RebuildStatus {
  return {
    running: job.state === "queued" || job.state === "running",
    done: job.done,
    total: job.total,
    ...(job.message !== undefined && { message: job.message }),
    ...(job.error !== undefined && { error: job.error }),
    ...(job.startedAt !== undefined && { startedAt: job.startedAt }),
  };
}
