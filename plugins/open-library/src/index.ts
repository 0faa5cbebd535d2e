import { definePlugin } from "@longbox/sdk";
import { Catalog, Collection, CoverSources } from "@longbox/collection/contract";
import { HealthChecks, Jobs, ResumableJobs, Schedules, Tools } from "@longbox/operations/contract";
import { RequestSources } from "@longbox/requests/contract";
import { bookCovers } from "./asking/covers.js";
import { openLibraryHealth } from "./health.js";
import { Arrivals } from "./matching/arrivals.js";
import { BookRecords } from "./matching/book-records.js";
import { isLookUp, resuming, startSync, syncSchedule, syncTool } from "./matching/jobs.js";
import { Matching } from "./matching/matching.js";
import { Sync } from "./matching/sync.js";
import { openLibraryMigration } from "./migrations/0001-open-library.js";
import { openOpenLibrary } from "./opening.js";
import { requestSource } from "./requesting.js";
import { Reviewing } from "./reviewing.js";
import { lookupRoutes } from "./routes/lookup-routes.js";
import { reviewRoutes } from "./routes/review-routes.js";
import { testRoute } from "./routes/test-route.js";
import { openLibrarySettings } from "./settings.js";
import type { OpenLibraryTables } from "./tables.js";
import { libraryTypes } from "./works.js";

export default definePlugin({
  requires: { library: Collection, catalog: Catalog, jobs: Jobs },
  settings: openLibrarySettings,
  migrations: [openLibraryMigration],
  async activate({ library, catalog, jobs }, context) {
    const { settings, signal, log } = context;
    const { openLibrary, covers, answers, trouble, trial, pageOf } = await openOpenLibrary(context);
    const records = new BookRecords(context.storage.database<OpenLibraryTables>());
    const changed = () => context.changed("open-library");
    const matching = new Matching({ library: openLibrary, catalog, records, pageOf, changed });
    const sync = new Sync({ library, matching, signal });
    const isWanted = () => settings.current.automatic;
    const arrivals = context.own(new Arrivals({ library, jobs, sync, isWanted, log, signal }));
    const reviewing = new Reviewing({ library, records, covers });
    await answers.tidy();

    context.own(library.onIssuesOwned((issueIds) => arrivals.add(issueIds)));
    context.own(library.onIssuesMerged((merge) => records.follow(merge)));
    context.own(
      jobs.onJobEnded((job) => {
        if (!isLookUp(job)) return;
        changed();
        arrivals.wake();
      }),
    );
    context.contribute(CoverSources, bookCovers(covers, records));
    context.contribute(HealthChecks, openLibraryHealth(trouble));
    context.contribute(Schedules, syncSchedule(sync, isWanted));
    context.contribute(Tools, syncTool(sync));
    for (const job of resuming(sync)) context.contribute(ResumableJobs, job);
    for (const kind of libraryTypes)
      context.contribute(
        RequestSources,
        requestSource(kind, { library, catalog, openLibrary, covers, records, pageOf }),
      );
    const start = () => startSync(sync, jobs, signal);
    context.routes([
      ...lookupRoutes({ openLibrary, covers, reviewing, jobs, start }),
      ...reviewRoutes({ reviewing, matching }),
      testRoute(trial),
    ]);
  },
});
