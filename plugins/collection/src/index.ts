import { definePlugin, KernelInspection, StatusParts, type PluginContext } from "@longbox/sdk";
import { Imaging } from "@longbox/imaging/contract";
import { HealthChecks, SupportParts, Tools } from "@longbox/operations/contract";
import { StatsParts } from "@longbox/stats/contract";
import { facetRules, searchRules } from "./contribution-rules.js";
import { ListAnswers } from "./answers/list-answers.js";
import { catalogContract } from "./catalog/catalog.js";
import { collectionContract } from "./collection.js";
import { Catalog, Collection, Covers, SearchProviders, SeriesFacets, Works } from "./contract.js";
import { collectionStatistics } from "./counting/statistics.js";
import { collectionStatus } from "./counting/status.js";
import { librariesPart } from "./counting/support.js";
import { VisibleCovers } from "./covers/visible-covers.js";
import { Assigning } from "./issues/assigning.js";
import { IssueIteration } from "./issues/iterating.js";
import { Wanted } from "./issues/wanted.js";
import { rootHealth } from "./libraries/root-health.js";
import { collectionMigration } from "./migrations/0001-collection.js";
import { ageRatingsMigration } from "./migrations/0002-age-ratings.js";
import { hiddenPagesMigration } from "./migrations/0003-hidden-pages.js";
import { titleOrderMigration } from "./migrations/0004-title-order.js";
import { numberGapsMigration } from "./migrations/0005-number-gaps.js";
import { joinedSeriesMigration } from "./migrations/0006-joined-series.js";
import { editedSeriesMigration } from "./migrations/0009-edited-series.js";
import { editedIssuesMigration } from "./migrations/0010-edited-issues.js";
import { lackingOrderMigration } from "./migrations/0011-lacking-order.js";
import { sortedListsMigration } from "./migrations/0012-sorted-lists.js";
import { openParts, type CollectionParts } from "./parts.js";
import { Placing } from "./placing/placing.js";
import { bulkRoutes } from "./routes/bulk-routes.js";
import { detailsRoutes } from "./routes/details-routes.js";
import { editRoutes } from "./routes/edit-routes.js";
import { formRoutes } from "./routes/form-routes.js";
import { libraryRoutes } from "./routes/library-routes.js";
import { listRoutes } from "./routes/list-routes.js";
import { searchRoutes } from "./routes/search-routes.js";
import { seriesRoutes } from "./routes/series-routes.js";
import { OwnSearch } from "./searching/own-search.js";
import { Searching } from "./searching/searching.js";
import { Adding } from "./series/adding.js";
import { Joining } from "./joining/joining.js";
import { joiningRoutes } from "./joining/joining-routes.js";
import { PairFinder } from "./joining/pair-thread.js";
import { SplitSeries } from "./joining/split-series.js";
import { HidingPages } from "./placing/hiding-pages.js";
import { Departing } from "./series/departing.js";
import { Facets } from "./series/facets.js";
import { TitleLetters } from "./series/letters.js";
import { collectionSettings, type CollectionSettings } from "./settings.js";
import { reindexTool } from "./tools.js";
import { AutomaticLinking, linkTool } from "./works/linking.js";

type Context = PluginContext<CollectionSettings>;

/** Answers of lists that are kept until something changes. */
const keptAnswersBytes = 32 * 1024 * 1024;

export default definePlugin({
  requires: { kernel: KernelInspection },
  optional: { imaging: Imaging },
  settings: collectionSettings,
  migrations: [
    collectionMigration,
    ageRatingsMigration,
    hiddenPagesMigration,
    titleOrderMigration,
    numberGapsMigration,
    joinedSeriesMigration,
    editedSeriesMigration,
    editedIssuesMigration,
    lackingOrderMigration,
    sortedListsMigration,
  ],
  async activate(capabilities, context) {
    const parts = await openParts(capabilities, context);
    const facets = new Facets(context.open(SeriesFacets, facetRules));
    provide({ ...parts, facets }, context);
    contribute(parts, context);
    linkWorks(parts, context);
    context.onUserDeleted((userId) => parts.following.forget(userId));
    context.onUserAdopted(({ from, to }) => parts.following.adopt(from, to));
    addRoutes({ ...parts, facets }, context);
  },
});

type PartsAndFacets = CollectionParts & { readonly facets: Facets };

function provide(parts: PartsAndFacets, context: Context): void {
  const { database, search, changes, issues, ids, types } = parts;
  const isByTitle = (type: string) => types.wordsOf(type).named === "by-title";
  const placing = new Placing(database, { search, isByTitle }, changes);
  const departing = new Departing(database, changes);
  const hidingPages = new HidingPages(database, changes);
  const iteration = new IssueIteration({ issues, ids });
  const adding = new Adding({ ...parts, settings: context.settings });
  context.provide(Collection, collectionContract({ ...parts, placing, departing, hidingPages, iteration }));
  context.provide(Covers, new VisibleCovers(parts));
  context.provide(Works, parts.works);
  context.provide(Catalog, catalogContract({ ...parts, adding }));
}

function linkWorks(parts: CollectionParts, context: Context): void {
  const linking = context.own(new AutomaticLinking({ ...parts, log: context.log, signal: context.signal }));
  context.contribute(Tools, linkTool(linking));
  for (const topic of [parts.changes.owned, parts.changes.identified])
    context.own(topic.subscribe((issueIds) => linking.add(issueIds)));
  context.own(parts.changes.works.subscribe(() => context.changed("collection")));
}

function contribute({ database, reader, search, changes, counts, libraries }: CollectionParts, context: Context): void {
  context.contribute(StatusParts, collectionStatus(counts, libraries));
  context.contribute(HealthChecks, rootHealth(libraries));
  context.contribute(SupportParts, librariesPart(libraries, counts));
  context.contribute(Tools, reindexTool(database, search, changes));
  for (const part of collectionStatistics(reader)) context.contribute(StatsParts, part);
}

function addRoutes(parts: PartsAndFacets, context: Context): void {
  const { database, reader, search, changes, series, getters, types } = parts;
  const answers = new ListAnswers(series, changes, { maxBytes: keptAnswersBytes });
  const assigning = new Assigning(database, series, changes);
  const wanted = new Wanted({ reader, index: search, getters, types });
  const providers = context.open(SearchProviders, searchRules);
  const searching = new Searching({ providers, own: new OwnSearch(parts), log: context.log });
  const joining = new Joining({ database, search, changes });
  context.routes([
    ...searchRoutes(searching),
    ...libraryRoutes(parts.libraries),
    ...listRoutes({ ...parts, answers, letters: new TitleLetters(parts) }),
    ...seriesRoutes(parts),
    ...editRoutes({ ...parts, assigning }),
    ...detailsRoutes(parts),
    ...formRoutes(parts),
    ...bulkRoutes({ ...parts, wanted }),
    ...joiningRoutes(joining, new SplitSeries(reader, context.own(new PairFinder(context)))),
  ]);
}
