import { definePlugin, KernelUsers, type PluginContext } from "@longbox/sdk";
import { Catalog, Collection, SearchProviders, type CollectionContract } from "@longbox/collection/contract";
import { Metadata } from "@longbox/metadata/contract";
import { CatalogShelves } from "@longbox/opds/contract";
import { Jobs } from "@longbox/operations/contract";
import { Reading } from "@longbox/reading/contract";
import { Background } from "./background.js";
import { ListFileReader } from "./cbl/reading-thread.js";
import { CommunityCatalog, keptIndexSchema } from "./community/catalog.js";
import { Lists } from "./contract.js";
import { Describing } from "./describing.js";
import { Importing } from "./importing.js";
import { Changes } from "./keeping/changes.js";
import { Editing } from "./keeping/editing.js";
import { LibraryView } from "./keeping/library-view.js";
import { ListRecords } from "./keeping/list-records.js";
import { ReadingLists } from "./keeping/reading-lists.js";
import { Summaries } from "./keeping/summaries.js";
import { listsContract } from "./lists-contract.js";
import { ClosingGaps } from "./matching/closing-gaps.js";
import { LibraryMatching } from "./matching/library-matching.js";
import { LookingUp } from "./matching/looking-up.js";
import { listsMigration } from "./migrations/0001-lists.js";
import { offerResuming } from "./resuming.js";
import { importRoutes } from "./routes/import-routes.js";
import { listRoutes } from "./routes/list-routes.js";
import { listsSettings } from "./settings.js";
import { listSearch } from "./searching.js";
import { listShelf } from "./shelf.js";
import type { ListsTables } from "./tables.js";
import { Wanting } from "./wanting/wanting.js";

export default definePlugin({
  requires: { library: Collection, catalog: Catalog, jobs: Jobs, users: KernelUsers },
  optional: { metadata: Metadata, reading: Reading },
  settings: listsSettings,
  migrations: [listsMigration],
  async activate({ library, catalog, users, metadata, jobs, reading }, context) {
    const records = new ListRecords(context.storage.database<ListsTables>());
    const matching = new LibraryMatching(library);
    const view = new LibraryView({ library, catalog, matching });
    const changes = context.own(new Changes(context));
    const summaries = new Summaries(records, view);
    const lists = new ReadingLists({ records, view, summaries, reading });
    const editing = new Editing({ records, lists, library, changes, settings: context.settings });
    const { signal, log } = context;
    const describing = new Describing({ records, library, metadata, changes, jobs, signal, log });
    const background = new Background(jobs, signal);
    const lookingUp = new LookingUp({ records, matching, metadata, users, background, changes });
    const importing = new Importing({ records, lists, editing, library, matching, lookingUp, metadata });
    const wanting = new Wanting({ lists, catalog, metadata, background, users });
    const community = new CommunityCatalog({
      settings: context.settings,
      fetch: context.fetch,
      kept: await context.storage.document("community-catalog", keptIndexSchema),
      files: await context.storage.cache("community-catalog", { maxBytes: 32 * 1024 * 1024 }),
    });

    context.provide(Lists, listsContract(lists, changes.topic));
    showElsewhere(context, { lists, records });
    offerResuming(context, { lookingUp, wanting, describing });
    context.routes([
      ...listRoutes({ lists, editing, describing, wanting, exporting: { records, lists, library } }),
      ...importRoutes({
        importing,
        lists,
        describing,
        catalog: community,
        reader: context.own(new ListFileReader(context)),
      }),
    ]);

    followLibrary(context, { library, summaries, changes });
    const gaps = context.own(new ClosingGaps({ library, records, lookingUp, signal, log }));
    context.own(library.onSeriesChanged((seriesIds) => gaps.seriesChanged(seriesIds)));
    context.own(metadata.onAvailability((available) => void (available && describing.retry())));
    context.onUserDeleted(async (userId) => changes.announceGone(await records.forgetUser(userId)));
    context.onUserAdopted(({ from, to }) => records.handOver(from, to));
  },
});

/** Lists in the catalogs of reading apps, and in searches. */
function showElsewhere(
  context: PluginContext,
  { lists, records }: { readonly lists: ReadingLists; readonly records: ListRecords },
): void {
  context.contribute(CatalogShelves, listShelf(lists));
  context.contribute(SearchProviders, listSearch(records));
}

interface Following {
  readonly library: CollectionContract;
  readonly summaries: Summaries;
  readonly changes: Changes;
}

/** The counts of lists are updated when the library or a list changes. */
function followLibrary(context: PluginContext, { library, summaries, changes }: Following): void {
  const libraryChanged = () => {
    summaries.forgetAll();
    changes.announceLibrary();
  };
  context.own(changes.topic.subscribe((listIds) => summaries.forget(listIds)));
  context.own(library.onSeriesChanged(libraryChanged));
  context.own(library.onLibrariesChanged(libraryChanged));
  context.own(library.onIssuesMerged(libraryChanged));
}
