import {
  DownloadClients,
  Downloads,
  Indexers,
  SourceTests,
  type Indexer,
  type SourceTest,
} from "@longbox/downloads/contract";
import { BadInput, definePlugin, TaskThread, type PluginContext, type Releasable } from "@longbox/sdk";
import { downloadClientOf } from "./clients/download-client.js";
import { programOf } from "./clients/opening.js";
import type { ParsingTasks } from "./parsing-tasks.js";
import { torrentRoutes } from "./routes.js";
import {
  clientSchema,
  indexerSchema,
  isUsable,
  torrentSettings,
  type IndexerEntry,
  type TorrentSettings,
} from "./settings.js";
import { Testing } from "./testing.js";
import { Grabbing } from "./torrents/grabbing.js";
import { Asking } from "./torznab/asking.js";
import { Searching } from "./torznab/searching.js";

type Context = PluginContext<TorrentSettings>;

export default definePlugin({
  requires: { downloads: Downloads },
  settings: torrentSettings,
  activate({ downloads }, context) {
    const thread: TaskThread<ParsingTasks> = context.own(
      new TaskThread({ start: () => context.worker("parse", undefined, { expendable: true, heapMegabytes: 256 }) }),
    );
    let held = contribute(context, thread);
    context.own(
      context.settings.onChange(({ indexers, clients }) => {
        for (const one of held) void one.release();
        // A corrected address or key is tried at once.
        for (const entry of [...indexers, ...clients]) if (isUsable(entry)) context.host(entry.url).reset();
        held = contribute(context, thread);
      }),
    );
    const testing = new Testing(context, thread);
    context.contribute(SourceTests, sourceTest(context, testing));
    context.routes(torrentRoutes({ downloads, testing, settings: context.settings }));
  },
});

function contribute(context: Context, thread: TaskThread<ParsingTasks>): Releasable[] {
  const { indexers, clients } = context.settings.current;
  const inOrder = <T extends { readonly priority: number }>(entries: readonly T[]) =>
    entries.toSorted((one, other) => one.priority - other.priority);
  return [
    ...inOrder(indexers).map((entry) => context.contribute(Indexers, indexerOf(entry, { context, thread }))),
    ...inOrder(clients).map((entry) =>
      context.contribute(DownloadClients, downloadClientOf(entry, programOf(entry, context), context)),
    ),
  ];
}

function indexerOf(
  entry: IndexerEntry,
  { context, thread }: { readonly context: Context; readonly thread: TaskThread<ParsingTasks> },
): Indexer {
  const asking = new Asking(context, thread, entry);
  const searching = new Searching(asking);
  const grabbing = new Grabbing({ context, thread, entry });
  return {
    id: `source-torrent:${entry.id}`,
    name: entry.name,
    enabled: entry.enabled && isUsable(entry),
    protocol: "torrent",
    search: (query, control) => searching.search(query, control),
    latest: (control) => searching.latest(control),
    grab: (release, control) => grabbing.grab(release, control),
    resting: () => asking.resting(),
  };
}

/** `POST /api/sources/{id}/test` for an entry of either list: only clients have a kind. */
function sourceTest({ plugin, settings }: Context, testing: Testing): SourceTest {
  return {
    id: plugin.id,
    async test(values, control) {
      if ("kind" in values) {
        const entry = clientSchema.safeParse(settings.unmasked({ clients: [values] }).clients[0]);
        if (entry.success) return testing.client(entry.data, control);
      } else {
        const entry = indexerSchema.safeParse(settings.unmasked({ indexers: [values] }).indexers[0]);
        if (entry.success) return testing.indexer(entry.data, control);
      }
      throw new BadInput("source-torrent/bad-entry", "The entry cannot be tried: its values are not valid.");
    },
  };
}
