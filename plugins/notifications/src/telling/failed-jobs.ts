import type { Job } from "@longbox/operations/contract";
import type { Say } from "@longbox/sdk/messages";
import type { Telling } from "./telling.js";

/** Notifies administrators of a failed job. A repeated failure replaces the unread notification. */
export async function tellOfJob(telling: Telling, say: Say, job: Job): Promise<void> {
  if (job.state !== "failed") return;
  await telling.notify(
    {
      category: "system",
      level: "error",
      title: await say("job.failed", { job: job.title }),
      body: job.error ?? "",
      url: "/operations",
      key: `job ${job.kind} ${job.title}`,
    },
    { permission: "system.jobs" },
  );
}
