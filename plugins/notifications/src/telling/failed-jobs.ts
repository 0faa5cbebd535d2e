import type { Job } from "@longbox/operations/contract";
import type { Telling } from "./telling.js";

/** Tells those who keep the server that a job failed; one that fails again replaces its unread notification. */
export async function tellOfJob(telling: Telling, job: Job): Promise<void> {
  if (job.state !== "failed") return;
  await telling.notify(
    {
      category: "system",
      level: "error",
      title: `${job.title} failed`,
      body: job.error ?? "",
      url: "/operations",
      key: `job ${job.kind} ${job.title}`,
    },
    { permission: "system.jobs" },
  );
}
