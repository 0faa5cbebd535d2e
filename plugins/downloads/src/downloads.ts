import type { DownloadsContract } from "./contract.js";
import type { Parts } from "./parts.js";

/** What other plugins may do with the queue. */
export function downloadsContract({ manual, queueing }: Parts, stopping: AbortSignal): DownloadsContract {
  return {
    search: (request, viewer) => manual.search(request, viewer, stopping),
    grab: async (resultId, target, viewer) => ({ id: (await queueing.grab(resultId, target, viewer)).id }),
    queue: (issueIds, viewer) => queueing.queue(issueIds, viewer),
  };
}
