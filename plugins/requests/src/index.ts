import { Catalog, Collection } from "@longbox/collection/contract";
import { Metadata } from "@longbox/metadata/contract";
import { Notifications } from "@longbox/notifications/contract";
import { definePlugin, KernelUsers, systemViewer } from "@longbox/sdk";
import { pluginMessages } from "@longbox/sdk/messages";
import { sourceRules } from "./contribution-rules.js";
import { Asking } from "./asking.js";
import { RequestSources } from "./contract.js";
import { Deciding } from "./deciding/deciding.js";
import { RequestRecords } from "./keeping/request-records.js";
import { requests as requestsMigration } from "./migrations/0001-requests.js";
import { requestRoutes } from "./routes/request-routes.js";
import { requestSettings } from "./settings.js";
import { Sources } from "./sources.js";
import type { RequestTables } from "./tables.js";

export default definePlugin({
  requires: { library: Collection, catalog: Catalog, users: KernelUsers },
  optional: { metadata: Metadata, notifications: Notifications },
  settings: requestSettings,
  migrations: [requestsMigration],
  activate({ library, catalog, users, metadata, notifications }, context) {
    const records = new RequestRecords(context.storage.database<RequestTables>());
    const changed = () => context.changed("requests");
    const settings = () => context.settings.current;
    const sources = new Sources({ metadata, catalog, others: context.open(RequestSources, sourceRules) });
    const say = pluginMessages(import.meta.url);
    const shared = { records, sources, library, users, notifications, say, changed, log: context.log };
    const deciding = new Deciding(shared);
    const asking = new Asking({ ...shared, deciding, settings });
    context.routes(requestRoutes({ asking, deciding, users, settings }));

    const quietly = (work: Promise<unknown>) =>
      work.catch((fault: unknown) => {
        if (!context.signal.aborted) context.log.error("Requests could not be updated.", { fault: String(fault) });
      });
    const arrived = (issueIds: readonly number[]) => void quietly(deciding.arrived(issueIds, systemViewer));
    context.own(library.onIssuesOwned(arrived));
    context.own(library.onIssuesIdentified(arrived));
    // Approvals that were interrupted wait for the provider to be there.
    context.own(metadata.onAvailability((available) => void (available && quietly(deciding.resume(context.signal)))));
    if (metadata.available()) void quietly(deciding.resume(context.signal));
    context.onUserDeleted(async (userId) => {
      await records.forgetUser(userId);
      changed();
    });
    context.onUserAdopted(({ from, to }) => records.handOver(from, to));
  },
});
