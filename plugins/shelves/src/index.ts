import { Collection, SearchProviders, SeriesFacets, type CollectionContract } from "@longbox/collection/contract";
import { CatalogShelves } from "@longbox/opds/contract";
import { Jobs, ResumableJobs, Schedules } from "@longbox/operations/contract";
import { Reading, type ReadingContract } from "@longbox/reading/contract";
import { definePlugin, KernelUsers, type OptionalCapability, type PluginContext } from "@longbox/sdk";
import { Browsing } from "./browsing/browsing.js";
import { LibrarySearch } from "./browsing/library-search.js";
import { Recommending } from "./browsing/recommending.js";
import { SelectionFacet } from "./browsing/series-facet.js";
import { Shelves } from "./contract.js";
import { Following } from "./filling/following.js";
import { Filling } from "./filling/filling.js";
import { Keeping } from "./filling/keeping.js";
import { ReaderStates } from "./filling/reader-states.js";
import { Rebuilding } from "./filling/rebuilding.js";
import { UnsavedRecords } from "./filling/unsaved-records.js";
import { shelvesMigration } from "./migrations/0001-shelves.js";
import { RatingRecords } from "./ratings/rating-records.js";
import { browseRoutes } from "./routes/browse-routes.js";
import { indexRoutes } from "./routes/index-routes.js";
import { ratingRoutes } from "./routes/rating-routes.js";
import { savedRoutes } from "./routes/saved-routes.js";
import { catalogShelf } from "./saved/catalog-shelf.js";
import { SavedRecords } from "./saved/saved-records.js";
import { SavedShelves } from "./saved/saved-shelves.js";
import { shelvesContract } from "./saved/shelves-contract.js";
import type { ShelvesDatabase, ShelvesTables } from "./tables.js";
import { IndexThread } from "./thread/index-thread.js";

/** Columns and names lie outside of the heap; one that may grow by what the machine has is cleaned late. */
const heapMegabytes = 512;

export default definePlugin({
  requires: { library: Collection, users: KernelUsers, jobs: Jobs },
  optional: { reading: Reading },
  migrations: [shelvesMigration],
  activate({ library, users, jobs, reading }, context) {
    const database = context.storage.database<ShelvesTables>();
    const thread = context.own(new IndexThread(() => context.worker("index", undefined, { heapMegabytes })));
    const ratings = new RatingRecords(database);
    const states = new ReaderStates({ thread, reading, users, ratings });
    const filling = new Filling({ library, thread });
    const changed = () => context.changed("shelves");
    const records = new UnsavedRecords(database);
    const keeping = context.own(
      new Keeping({ thread, filling, records, folder: context.storage.folder, log: context.log, changed }),
    );
    const build = (control: Parameters<Keeping["build"]>[0]) => keeping.build(control);
    const rebuilding = new Rebuilding({ jobs, signal: context.signal, build, changed });
    const following = new Following({ thread, keeping, filling, rebuilding, states, ratings, context });
    following.start({ library, reading, users });
    context.contribute(Schedules, rebuilding.schedule());
    context.contribute(ResumableJobs, rebuilding.resuming());
    const parts = { thread, states, ratings, rebuilding, following };
    offer({ ...parts, database, library, reading }, context);
  },
});

interface OfferedParts {
  readonly thread: IndexThread;
  readonly states: ReaderStates;
  readonly ratings: RatingRecords;
  readonly rebuilding: Rebuilding;
  readonly following: Following;
  readonly database: ShelvesDatabase;
  readonly library: CollectionContract;
  readonly reading: OptionalCapability<ReadingContract>;
}

function offer(parts: OfferedParts, context: PluginContext): void {
  const { ratings, following, library } = parts;
  const browsing = new Browsing(parts);
  const recommending = new Recommending({ ...parts, browsing });
  const records = new SavedRecords(parts.database);
  const changed = (userId: number, forAll: boolean) =>
    context.changed("shelves", forAll ? undefined : { userIds: [userId] });
  const saved = new SavedShelves({ records, questions: browsing.questions, changed });
  context.contribute(SearchProviders, new LibrarySearch(parts));
  context.contribute(SeriesFacets, new SelectionFacet(browsing));
  context.contribute(CatalogShelves, catalogShelf(saved, browsing));
  context.provide(Shelves, shelvesContract(saved, browsing));
  context.routes([
    ...indexRoutes({ ...parts, browsing }),
    ...browseRoutes({ browsing, recommending }),
    ...savedRoutes({ saved, browsing }),
    ...ratingRoutes({ library, ratings, changed: (userId, ids) => following.followUser(userId, ids) }),
  ]);
  context.onUserDeleted(async (userId) => {
    await Promise.all([ratings.forgetUser(userId), records.forgetUser(userId)]);
    await parts.states.forget([userId]);
  });
  context.onUserAdopted(async ({ from, to }) => {
    await Promise.all([ratings.handOver(from, to), records.handOver(from, to)]);
    await parts.states.forget([from, to]);
  });
}
