import { definePlugin } from "@longbox/sdk";
import { Collection } from "@longbox/collection/contract";
import { Pages } from "@longbox/files/contract";
import { Imaging } from "@longbox/imaging/contract";
import { BookmarkRecords } from "./bookmark-records.js";
import { ReadingProgress, RenderedPages } from "./contract.js";
import { LaterRecords } from "./later-records.js";
import { reading as readingMigration } from "./migrations/0001-reading.js";
import { beginnings } from "./migrations/0002-beginnings.js";
import { followMissedMoves, moveIssue } from "./issue-moves.js";
import { forgetUser, handOver } from "./owned-records.js";
import { PageRenderings } from "./page-renderings.js";
import { Preferences } from "./preferences.js";
import { PreparedPages } from "./prepared-pages.js";
import { ProgressRecords } from "./progress-records.js";
import { ReadablePages } from "./readable-pages.js";
import { ReadingProgressProvider } from "./reading-progress.js";
import { Reading, type ReadingChange } from "./reading.js";
import { readerSettings } from "./reader-settings.js";
import { issueRoutes } from "./routes/issue-routes.js";
import { pageRoutes } from "./routes/page-routes.js";
import { seriesRoutes } from "./routes/series-routes.js";
import { shelfRoutes } from "./routes/shelf-routes.js";
import { Shelves } from "./shelves.js";
import { ReadingStatistics } from "./statistics.js";
import type { ReaderTables } from "./tables.js";

export default definePlugin({
  requires: { library: Collection, pages: Pages },
  optional: { imaging: Imaging },
  settings: readerSettings,
  migrations: [readingMigration, beginnings],
  async activate({ library, pages, imaging }, context) {
    const database = context.storage.database<ReaderTables>();
    const records = { progress: new ProgressRecords(database), bookmarks: new BookmarkRecords(database), later: new LaterRecords(database), preferences: new Preferences(database) };
    const sources = { library, pages, ...records };

    const changes = context.topic<ReadingChange>("progress");
    context.own(changes.subscribe(() => context.changed("reader")));
    context.provide(ReadingProgress, new ReadingProgressProvider(library, records, changes));

    const { cacheMegabytes } = context.settings.current;
    const renderings = new PageRenderings(pages, imaging, await context.storage.cache("pages", { maxBytes: cacheMegabytes * 1_000_000 }));
    const prepared = new PreparedPages(renderings, context.signal, context.log);
    const readable = new ReadablePages(pages, renderings, prepared, () => context.settings.current.pagesAhead);
    context.provide(RenderedPages, readable);

    context.routes([
      ...pageRoutes(sources, readable),
      ...issueRoutes(new Reading(library, records, (change) => changes.publish(change))),
      ...shelfRoutes({ ...sources, shelves: new Shelves(library, records.progress, records.later), statistics: new ReadingStatistics(database, library) }),
      ...seriesRoutes(sources),
    ]);

    context.own(
      library.onIssuesMerged(async (merge) => {
        await moveIssue(database, library, merge);
        context.changed("reader");
      }),
    );
    void followMissedMoves(database, library, context.signal).then(
      (moved) => moved > 0 && context.changed("reader"),
      (problem: unknown) => !context.signal.aborted && context.log.warn("what was read of issues that became others could not be moved", { problem: String(problem) }),
    );
    context.onUserDeleted((userId) => forgetUser(database, userId));
    context.onUserAdopted((change) => handOver(database, change));
  },
});
