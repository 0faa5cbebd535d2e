import { DownloadClients, Downloads, Indexers, SourceTests } from "@longbox/downloads/contract";
import { BadInput, definePlugin, TaskThread, type PluginContext, type Releasable } from "@longbox/sdk";
import { AskingClient } from "./clients/asking-client.js";
import { clientOf } from "./clients/client.js";
import { testClient } from "./clients/testing.js";
import { Asking } from "./newznab/asking.js";
import { indexerOf } from "./newznab/indexer.js";
import { testIndexer } from "./newznab/testing.js";
import type { ReadingTasks } from "./reading/document.js";
import { usenetRoutes } from "./routes.js";
import {
  indexerEntry,
  isWebAddress,
  usenetSettings,
  type ClientEntry,
  type IndexerEntry,
  type UsenetSettings,
} from "./settings.js";

export default definePlugin({
  requires: { downloads: Downloads },
  settings: usenetSettings,
  activate({ downloads }, context) {
    const thread: TaskThread<ReadingTasks> = context.own(
      new TaskThread({ start: () => context.worker("parse", undefined, { expendable: true, heapMegabytes: 256 }) }),
    );
    const indexer = (entry: IndexerEntry) => new Asking(context, thread, entry);
    const client = (entry: ClientEntry) => new AskingClient(context, entry);
    contributeEach(context, { indexer, client });
    context.routes(
      usenetRoutes({
        downloads,
        settings: context.settings,
        testIndexer: (entry, signal) => {
          forgetFailures(context, entry.url);
          return testIndexer(indexer(entry), { signal, urgency: "person" });
        },
        testClient: (entry) => {
          forgetFailures(context, entry.url);
          return testClient(client(entry));
        },
      }),
    );
    context.contribute(SourceTests, {
      id: context.plugin.id,
      test: (values, control) => {
        const { indexers } = context.settings.unmasked({ indexers: [values] });
        return testIndexer(indexer(readEntry(indexers[0])), control);
      },
    });
  },
});

interface Opening {
  readonly indexer: (entry: IndexerEntry) => Asking;
  readonly client: (entry: ClientEntry) => AskingClient;
}

/** Contributes each entry of the settings, again after every change. */
function contributeEach(context: PluginContext<UsenetSettings>, { indexer, client }: Opening): void {
  let held: Releasable[] = [];
  const register = () => {
    for (const one of held) void one.release();
    const { indexers, clients } = context.settings.current;
    held = [
      ...indexers.map((entry) => context.contribute(Indexers, indexerOf(indexer(entry)))),
      ...clients.map((entry) => context.contribute(DownloadClients, clientOf(client(entry)))),
    ];
  };
  register();
  context.own(
    context.settings.onChange((next, previous) => {
      const before = new Set(entriesOf(previous).map((entry) => JSON.stringify(entry)));
      for (const entry of entriesOf(next)) if (!before.has(JSON.stringify(entry))) forgetFailures(context, entry.url);
      register();
    }),
  );
}

const entriesOf = ({ indexers, clients }: UsenetSettings) => [...indexers, ...clients];

/** A person may have corrected what a host failed for. */
function forgetFailures(context: Pick<PluginContext, "host">, url: string): void {
  if (isWebAddress(url)) context.host(url).reset();
}

function readEntry(values: unknown): IndexerEntry {
  const read = indexerEntry.safeParse(values);
  if (read.success) return { ...read.data, id: "" };
  throw new BadInput(
    "source-usenet/bad-entry",
    "The indexer cannot be tried.",
    Object.fromEntries(read.error.issues.map(({ path, message }) => [path.join("."), message])),
  );
}
