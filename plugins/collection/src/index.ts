import { definePlugin, StatusParts } from "@longbox/sdk";
import { Imaging } from "@longbox/imaging/contract";
import { HealthChecks, SupportParts, Tools } from "@longbox/operations/contract";
import { StatsParts } from "@longbox/stats/contract";
import { Adding } from "./series/adding.js";
import { Assigning } from "./issues/assigning.js";
import { catalogContract } from "./catalog/catalog.js";
import { Changes } from "./changes.js";
import { collectionContract } from "./collection.js";
import {
  Catalog,
  Collection,
  Covers,
  CoverSources,
  IssueGetters,
  LibraryTypes,
  SeriesFacets,
  Works,
} from "./contract.js";
import { SeriesCounts } from "./counting/counts.js";
import { KeptCovers } from "./covers/covers.js";
import { VisibleCovers } from "./covers/visible-covers.js";
import { Departing } from "./series/departing.js";
import { SeriesEditing } from "./series/editing.js";
import { Facets } from "./series/facets.js";
import { Following } from "./series/following.js";
import { Getting } from "./issues/getting.js";
import { IssueShapes } from "./issues/issue-shape.js";
import { ExternalIds } from "./ids/external-ids.js";
import { IssueIteration } from "./issues/iterating.js";
import { IssueReading } from "./issues/issue-reading.js";
import { LibraryTypeList } from "./libraries/library-types.js";
import { Libraries } from "./libraries/libraries.js";
import { ListAnswers } from "./answers/list-answers.js";
import { collectionMigration } from "./migrations/0001-collection.js";
import { Picking } from "./issues/picking.js";
import { Placing } from "./placing/placing.js";
import { completeIndex } from "./searching/reindexing.js";
import { rootHealth } from "./libraries/root-health.js";
import { bulkRoutes } from "./routes/bulk-routes.js";
import { editRoutes } from "./routes/edit-routes.js";
import { libraryRoutes } from "./routes/library-routes.js";
import { listRoutes } from "./routes/list-routes.js";
import { seriesRoutes } from "./routes/series-routes.js";
import { searchColumns, SearchIndex } from "./searching/search-index.js";
import { SeriesReading } from "./series/series-reading.js";
import { collectionSettings } from "./settings.js";
import { collectionStatistics } from "./counting/statistics.js";
import { collectionStatus } from "./counting/status.js";
import { librariesPart } from "./counting/support.js";
import type { CollectionTables } from "./tables.js";
import { reindexTool } from "./tools.js";
import { LinkedWorks } from "./works/works.js";
import { Wanted } from "./issues/wanted.js";

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
    const types = new LibraryTypeList(context.open(LibraryTypes));
    const ids = new ExternalIds(database);
    const shapes = new IssueShapes(types);
    const libraries = new Libraries(database, types, changes);
    const series = new SeriesReading({ database, reader, index: search, changes, shapes });
    const issues = new IssueReading(
      { database, reader, dataVersion: () => context.storage.dataVersion() },
      shapes,
      ids,
    );
    const counts = new SeriesCounts(reader, series, search, changes);
    const covers = new KeptCovers(
      context.open(CoverSources),
      imaging,
      await context.storage.cache("covers", { maxBytes: 512 * 1024 * 1024 }),
    );
    const getters = context.open(IssueGetters);
    const getting = new Getting(database, getters);
    const editing = new SeriesEditing(database, series, search, changes);
    const following = new Following(database, changes);

    context.provide(
      Collection,
      collectionContract({
        reader,
        libraries,
        series,
        issues,
        placing: new Placing(database, search, changes),
        departing: new Departing(database, changes),
        iteration: new IssueIteration({ issues, ids }),
        ids,
        following,
        changes,
      }),
    );
    context.provide(Covers, new VisibleCovers({ covers, issues, series }));
    context.provide(Works, new LinkedWorks({ database, issues, ids, changed: changes.works }));
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
      ...listRoutes({
        libraries,
        counts,
        facets: new Facets(context.open(SeriesFacets)),
        answers: new ListAnswers(series, changes, { maxBytes: 32 * 1024 * 1024 }),
      }),
      ...seriesRoutes({ series, issues, covers }),
      ...editRoutes({
        editing,
        series,
        picking,
        following,
        assigning: new Assigning(database, series, changes),
        libraries,
      }),
      ...bulkRoutes({ editing, following, getting, wanted: new Wanted({ reader, index: search, getters, types }) }),
    ]);
  },
});
