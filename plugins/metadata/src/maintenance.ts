import { isLongboxError } from "@longbox/sdk";
import type { JobControl, JobsContract, ResumableJob, Schedule, Tool } from "@longbox/operations/contract";
import { syncKind, type Sync } from "./sync.js";

const run = (sync: Sync) => async (control: JobControl) => {
  const { matched, refreshed, waiting } = await sync.run(control);
  return `${matched} matched, ${refreshed} refreshed, ${waiting} waiting for a person`;
};

/** A server without a key is not a failure, because the provider is optional. */
const runWithKey = (sync: Sync) => async (control: JobControl) => {
  try {
    return await run(sync)(control);
  } catch (fault) {
    if (isLongboxError(fault) && fault.code === "metadata/key-refused") return `No request was made: ${fault.message}`;
    throw fault;
  }
};

export function syncSchedule(sync: Sync): Schedule {
  return {
    key: "metadata.sync",
    title: "Provider sync",
    description: "Finds volumes for unmatched series and refreshes the matched ones",
    cron: "30 4 * * *",
    enabled: true,
    resumes: true,
    run: runWithKey(sync),
  };
}

export function syncTool(sync: Sync): Tool {
  const work = run(sync);
  return {
    id: "fetch-metadata",
    title: "Fetch metadata",
    description: "Finds volumes for unmatched series and refreshes the matched ones",
    touchesFiles: false,
    resumes: true,
    run: (_, control) => work(control),
  };
}

/** Starts the sync as a job. @returns its id. @throws {Conflict} while a sync is running */
export type StartSync = () => Promise<number>;

export function startingSync(sync: Sync, jobs: JobsContract, signal: AbortSignal): StartSync {
  return async () => {
    sync.refuseSecond();
    const handle = await jobs.run(syncKind, "Provider sync", run(sync), { key: syncKind, input: {}, signal });
    return handle.id;
  };
}

/** Resumes a sync that a restart interrupted: what it did before is stored, and not due again. */
export function syncResuming(sync: Sync): ResumableJob {
  const work = run(sync);
  return { kind: syncKind, resume: (_, control) => work(control) };
}
