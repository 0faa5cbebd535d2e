import type { Job, JobControl, JobsContract, ResumableJob, Schedule, Tool } from "@longbox/operations/contract";
import type { Sync, SyncTally } from "./sync.js";

export const syncKind = "open-library.sync";
export const arrivalKind = "open-library.arrivals";
const kinds = [syncKind, arrivalKind, "schedule.open-library.sync", "tool.look-up-books"];

/** Whether a job of this kind looks up books. */
export const isLookUp = ({ kind }: Pick<Job, "kind">): boolean => kinds.includes(kind);

/** A run's outcome in one sentence. */
export function told({ matched, review, unknown }: SyncTally): string {
  return `${matched} matched, ${review} to review, ${unknown} not found`;
}

const run = (sync: Sync) => async (control: JobControl) => told(await sync.run(control));

const texts = {
  title: "Look up books",
  description: "Finds the works of books and audiobooks at Open Library, and describes those that are certain",
} as const;

export function syncSchedule(sync: Sync, isWanted: () => boolean): Schedule {
  const work = run(sync);
  return {
    ...texts,
    key: "open-library.sync",
    cron: "10 5 * * *",
    enabled: true,
    resumes: true,
    run: async (control) => (isWanted() ? work(control) : "Automatic matching is turned off."),
  };
}

export function syncTool(sync: Sync): Tool {
  const work = run(sync);
  return { ...texts, id: "look-up-books", touchesFiles: false, resumes: true, run: (_, control) => work(control) };
}

/** Starts a run as a job. @returns its id. @throws {Conflict} `operations/job-running` */
export async function startSync(sync: Sync, jobs: JobsContract, signal: AbortSignal): Promise<number> {
  const { id } = await jobs.run(syncKind, texts.title, run(sync), { key: syncKind, input: {}, signal });
  return id;
}

/** Resumes a run that a restart interrupted: what it did is stored, and not due again. */
export function resuming(sync: Sync): ResumableJob[] {
  const work = run(sync);
  return [syncKind, arrivalKind].map((kind) => ({ kind, resume: (_, control) => work(control) }));
}
