// The errors of operations.
import { BadInput, Conflict, NotFound } from "@longbox/sdk";

export class NoSuchJob extends NotFound {
  constructor(id: number) {
    super("operations/no-such-job", `There is no job ${id}.`, { id });
  }
}

export class JobRunning extends Conflict {
  constructor(title: string, jobId: number) {
    super("operations/job-running", `“${title}” is under way already.`, { jobId });
  }
}

export class JobEnded extends Conflict {
  constructor(id: number) {
    super("operations/job-ended", `Job ${id} has ended already.`, { id });
  }
}

export class NoSuchSchedule extends NotFound {
  constructor(key: string) {
    super("operations/no-such-schedule", `There is no schedule “${key}”.`, { key });
  }
}

export class BadCron extends BadInput {
  constructor(reason: string) {
    super("operations/bad-cron", "The cron pattern cannot be read.", { cron: reason });
  }
}

export class NoSuchTool extends NotFound {
  constructor(id: string) {
    super("operations/no-such-tool", `There is no tool “${id}”.`, { tool: id });
  }
}

export class NoDryRun extends BadInput {
  constructor(id: string) {
    super("operations/no-dry-run", `The tool “${id}” touches no files, so there is nothing to try first.`, {
      dryRun: "cannot be asked of this tool",
    });
  }
}

export class NoCopyPlace extends Conflict {
  constructor() {
    super("operations/no-copy-place", "The settings name no place for copies of backups.");
  }
}

export class CopyPlaceUnusable extends BadInput {
  /** @param setting - The setting that names it. @param reason - Such as `is needed` */
  constructor(setting: string, reason: string) {
    super("operations/copy-place-unusable", `The place for copies of backups cannot be used: ${setting}: ${reason}.`, {
      [setting]: reason,
    });
  }
}
