import type { Job } from "@longbox/operations/api";
import type { LongboxClient } from "@longbox/sdk/client";
import { messageOf, t } from "@longbox/sdk/ui";

interface Wording {
  readonly label: string;
  readonly done: string;
}

const ended = new Set<Job["state"]>(["done", "failed", "cancelled"]);

/**
 * Shows the progress of a job in a toast until it ends. Users without the permission for jobs only see that it runs.
 */
export async function followJob(shell: LongboxClient, jobId: number, { label, done }: Wording): Promise<void> {
  const key = `job-${jobId}`;
  if (!shell.may("system.jobs")) return shell.notify(t("followingJobs.theServerIsWorking", { label }), { key });
  const look = async (): Promise<void> => {
    try {
      const job = await shell.api<Job>(`/api/jobs/${jobId}`);
      if (ended.has(job.state)) void held.release();
      tell(shell, job, { key, label, done });
    } catch (thrown) {
      void held.release();
      shell.notify(messageOf(thrown), { key, level: "danger" });
    }
  };
  const held = shell.onChanged("jobs", () => void look());
  await look();
}

function tell(shell: LongboxClient, job: Job, { key, label, done }: Wording & { readonly key: string }): void {
  switch (job.state) {
    case "done":
      return shell.notify(job.message ?? done, { key, level: "success" });
    case "failed":
      return shell.notify(job.error ?? t("followingJobs.failed", { label }), { key, level: "danger" });
    case "cancelled":
      return shell.notify(t("followingJobs.wasCancelled", { label }), { key });
    default:
      shell.notify(job.message ?? label, { key, progress: { done: job.done, total: job.total } });
  }
}
