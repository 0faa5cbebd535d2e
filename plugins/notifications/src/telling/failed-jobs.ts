import type { Job } from "@longbox/operations/contract";
import type { KernelInspectionContract } from "@longbox/sdk";
import type { Say } from "@longbox/sdk/messages";
import type { Telling } from "./telling.js";

interface TellingOfJobs {
  readonly telling: Telling;
  readonly say: Say;
  readonly kernel: Pick<KernelInspectionContract, "inEachLanguage">;
}

/** Notifies administrators of a failed job. A repeated failure replaces the unread notification. */
export async function tellOfJob({ telling, say, kernel }: TellingOfJobs, job: Job): Promise<void> {
  if (job.state !== "failed") return;
  const title = await kernel.inEachLanguage({ text: job.title });
  const reason = { text: job.error ?? "", code: job.errorCode, details: job.errorDetails };
  await telling.notify(
    {
      category: "system",
      level: "error",
      title: await say("job.failed", { job: title }),
      body: await kernel.inEachLanguage(reason),
      url: "/operations",
      key: `job ${job.kind} ${job.title}`,
    },
    { permission: "system.jobs" },
  );
}
