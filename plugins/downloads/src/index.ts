import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { Collection, IssueGetters, type CollectionContract, type IssueGetter } from "@longbox/collection/contract";
import { FileNames, FilesImporting } from "@longbox/files/contract";
import { Notifications } from "@longbox/notifications/contract";
import { Schedules } from "@longbox/operations/contract";
import { definePlugin, KernelPlugins, KernelUsers, StatusParts, type PluginContext } from "@longbox/sdk";
import { clientRules, indexerRules, sourceRules, testRules } from "./contribution-rules.js";
import { DownloadClients, Downloads, DownloadSources, Indexers, SourceTests } from "./contract.js";
import { StartingSources } from "./deciding/starting-sources.js";
import { downloadsContract } from "./downloads.js";
import { followMerge, followSeries } from "./keeping/named-rows.js";
import { downloads as downloadsMigration } from "./migrations/0001-downloads.js";
import { openParts, type Given, type Parts } from "./parts.js";
import { switchSchema } from "./queue/switch.js";
import { gettingRoutes } from "./routes/getting-routes.js";
import { historyRoutes } from "./routes/history-routes.js";
import { queueRoutes } from "./routes/queue-routes.js";
import { searchRoutes } from "./routes/search-routes.js";
import { sourceKeyword, sourceRoutes } from "./routes/source-routes.js";
import { schedulesOf } from "./schedules.js";
import { downloadSettings, type DownloadSettings } from "./settings.js";

export default definePlugin({
  requires: {
    library: Collection,
    importing: FilesImporting,
    names: FileNames,
    users: KernelUsers,
    plugins: KernelPlugins,
  },
  optional: { notifications: Notifications },
  settings: downloadSettings,
  migrations: [downloadsMigration],
  async activate(capabilities, context) {
    const { library, plugins } = capabilities;
    const folder = join(context.storage.folder, "arriving");
    await mkdir(folder, { recursive: true });
    const tests = context.open(SourceTests, testRules);
    const opened = {
      sources: context.open(DownloadSources, sourceRules),
      indexers: context.open(Indexers, indexerRules),
      clients: context.open(DownloadClients, clientRules),
    };
    const document = await context.storage.document("queue", switchSchema);
    const starting = context.own(new StartingSources(plugins, sourceKeyword));
    const parts = openParts({ capabilities, context, opened, document, starting, folder });
    const { running, watching, changed } = parts;
    context.own(watching);
    context.own(running);

    context.provide(Downloads, downloadsContract(parts, context.signal));
    context.contribute(IssueGetters, issueGetter(parts));
    context.contribute(StatusParts, { read: (viewer) => parts.summary(viewer) });
    for (const schedule of schedulesOf(parts)) context.contribute(Schedules, schedule);
    context.routes([
      ...queueRoutes({ library, ...parts }),
      ...gettingRoutes({ library, queueing: parts.queueing }),
      ...searchRoutes({ library, ...parts }),
      ...historyRoutes({ library, ...parts }),
      ...sourceRoutes({ places: parts.places, plugins, tests, changed }),
    ]);

    followChanges(parts, { library, opened, starting }, context);
    await running.resume();
    watching.wake();
  },
});

function issueGetter({ queueing, items }: Parts): IssueGetter {
  return {
    queue: (issueIds, viewer) => queueing.queue(issueIds, viewer),
    findStates: async (issueIds) =>
      (await items.latestOf(issueIds)).flatMap(({ issue_id, state }) =>
        issue_id === null || state === "done" || state === "cancelled" ? [] : [{ issueId: issue_id, status: state }],
      ),
  };
}

/** Brings the queue up to date with the library, the settings, the sources and the accounts. */
function followChanges(
  parts: Parts,
  { library, opened, starting }: { readonly library: CollectionContract } & Pick<Given, "opened" | "starting">,
  context: PluginContext<DownloadSettings>,
): void {
  const { database, running, watching, changed } = parts;
  const quietly = (work: Promise<unknown>) =>
    void work.catch((fault: unknown) => {
      if (!context.signal.aborted) context.log.error("The queue was not brought up to date.", { fault: String(fault) });
    });
  context.own(
    library.onSeriesChanged((ids) => quietly(followSeries(database, library, ids).then((found) => found && changed()))),
  );
  context.own(library.onIssuesMerged((merge) => quietly(followMerge(database, merge).then(changed))));
  context.own(context.settings.onChange(() => running.wake()));
  const goOn = () => quietly(parts.items.endWaiting().then(() => running.wake()));
  starting.watch(goOn);
  for (const each of Object.values(opened))
    context.own(
      each.onChange(() => {
        changed();
        goOn();
        watching.wake();
      }),
    );
  context.onUserDeleted(async (userId) => {
    await parts.results.forgetUser(userId);
    await parts.items.handOver(userId, deletedUser);
  });
  context.onUserAdopted(({ from, to }) => parts.items.handOver(from, to));
}

/** Stands for users who are gone: their open items end, because no user's rights apply to them. */
const deletedUser = 0;
