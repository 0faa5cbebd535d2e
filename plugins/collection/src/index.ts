import { definePlugin, StatusParts } from "@longbox/sdk";
import { Imaging } from "@longbox/imaging/contract";
import { HealthChecks, SupportParts, Tools } from "@longbox/operations/contract";
import { StatsParts } from "@longbox/stats/contract";
import { Adding } from "./adding.js";
import { Assigning } from "./assigning.js";
import { catalogContract } from "./catalog.js";
import { Changes } from "./changes.js";
import { collectionContract } from "./collection.js";
import { Catalog, Collection, CoverSources, IssueGetters, LibraryTypes, SeriesFacets } from "./contract.js";
import { SeriesCounts } from "./counts.js";
import { Covers } from "./covers.js";
import { Departing } from "./departing.js";
import { SeriesEditing } from "./editing.js";
import { Facets } from "./facets.js";
import { Following } from "./following.js";
import { Getting } from "./getting.js";
import { IssueReading } from "./issue-reading.js";
import { Libraries } from "./libraries.js";
import { ListAnswers } from "./list-answers.js";
import { collectionMigration } from "./migrations/0001-collection.js";
import { Picking } from "./picking.js";
import { Placing } from "./placing.js";
import { completeIndex } from "./reindexing.js";
import { rootHealth } from "./root-health.js";
import { bulkRoutes } from "./routes/bulk-routes.js";
import { editRoutes } from "./routes/edit-routes.js";
import { libraryRoutes } from "./routes/library-routes.js";
import { listRoutes } from "./routes/list-routes.js";
import { seriesRoutes } from "./routes/series-routes.js";
import { searchColumns, SearchIndex } from "./search-index.js";
import { SeriesReading } from "./series-reading.js";
import { collectionSettings } from "./settings.js";
import { collectionStatistics } from "./statistics.js";
import { collectionStatus } from "./status.js";
import { librariesPart } from "./support.js";
import type { CollectionTables } from "./tables.js";
import { reindexTool } from "./tools.js";
import { Wanted } from "./wanted.js";

export default definePlugin({
  optional: { imaging: Imaging },
  settings: collectionSettings,
  migrations: [collectionMigration],
  async activate({ imaging }, context) {
    const database = context.storage.database<CollectionTables>();
    const reader = context.storage.reader<CollectionTables>();
    const changes = new Changes(context);
    const text = await context.storage.fullText("series", searchColumns);
    const search = new SearchIndex(text);
    await completeIndex(context.storage, database, { index: search, isNew: text.empty }, context.signal);
    const libraries = new Libraries(database, context.open(LibraryTypes), changes);
    const series = new SeriesReading({ database, reader }, search, changes);
    const issues = new IssueReading({ database, reader, dataVersion: () => context.storage.dataVersion() });
    const counts = new SeriesCounts(reader, series, search, changes);
    const covers = new Covers(context.open(CoverSources), imaging, await context.storage.cache("covers", { maxBytes: 512 * 1024 * 1024 }));
    const getters = context.open(IssueGetters);
    const getting = new Getting(database, getters);
    const editing = new SeriesEditing(database, series, search, changes);
    const following = new Following(database, changes);

    context.provide(Collection, collectionContract({ reader, libraries, series, issues, placing: new Placing(database, search, changes), departing: new Departing(database, changes), changes }));
    const picking = new Picking(database, { series, issues }, changes);
    const adding = new Adding({ database, search, changes, following, getting, settings: context.settings });
    context.provide(Catalog, catalogContract({ database, reader, series, search, changes, adding, picking }));
    context.contribute(StatusParts, collectionStatus(counts, libraries));
    context.contribute(HealthChecks, rootHealth(libraries));
    context.contribute(SupportParts, librariesPart(libraries, counts));
    context.contribute(Tools, reindexTool(database, search, changes));
    for (const part of collectionStatistics(reader)) context.contribute(StatsParts, part);
    context.onUserDeleted((userId) => following.forget(userId));
    context.onUserAdopted(({ from, to }) => following.adopt(from, to));
    context.routes([
      ...libraryRoutes(libraries),
      ...listRoutes({ libraries, counts, facets: new Facets(context.open(SeriesFacets)), answers: new ListAnswers(series, changes, { maxBytes: 32 * 1024 * 1024 }) }),
      ...seriesRoutes({ series, issues, covers }),
      ...editRoutes({ editing, series, picking, following, assigning: new Assigning(database, series, changes), libraries }),
      ...bulkRoutes({ editing, following, getting, wanted: new Wanted(reader, search, getters) }),
    ]);
  },
});
