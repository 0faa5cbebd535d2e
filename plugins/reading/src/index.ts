import { Collection, SeriesFacets, Works } from "@longbox/collection/contract";
import { definePlugin } from "@longbox/sdk";
import { chapterRules } from "./contribution-rules.js";
import { ChapterSources, Reading, type ReadingGain } from "./contract.js";
import { FollowingWorks } from "./following-works.js";
import { DeviceRecords } from "./keeping/device-records.js";
import { HistoryRecords } from "./keeping/history-records.js";
import { LaterRecords } from "./keeping/later-records.js";
import { forgetUser, handOver } from "./keeping/owned-records.js";
import { ProgressRecords } from "./keeping/progress-records.js";
import { reading as readingMigration } from "./migrations/0001-reading.js";
import { ReadingLists } from "./reading-lists.js";
import { readingContract } from "./reading.js";
import { formRoutes } from "./routes/form-routes.js";
import { readingRoutes } from "./routes/reading-routes.js";
import { Recording, type ReadingChange } from "./recording.js";
import { ReadingFacet } from "./series-facet.js";
import { ActivityRecords } from "./statistics/activity-records.js";
import { History } from "./statistics/history.js";
import { Statistics } from "./statistics/statistics.js";
import type { ReadingTables } from "./tables.js";

export default definePlugin({
  requires: { library: Collection, works: Works },
  migrations: [readingMigration],
  activate({ library, works }, context) {
    const database = context.storage.database<ReadingTables>();
    const reader = context.storage.reader<ReadingTables>();
    const changed = context.topic<ReadingChange>("changed");
    const read = context.topic<ReadingGain>("read");
    const progress = new ProgressRecords(database);
    const later = new LaterRecords(database);
    context.own(changed.subscribe(({ userId }) => context.changed("reading", { userIds: [userId] })));

    const parts = {
      library,
      works,
      chapters: context.open(ChapterSources, chapterRules),
      progress,
      later,
      read,
      changed,
      devices: new DeviceRecords(database),
      lists: new ReadingLists({ library, progress, later, allProgress: new ProgressRecords(reader) }),
      history: new History(library, new HistoryRecords(database)),
      statistics: new Statistics(library, new ActivityRecords(reader)),
      recording: new Recording({
        database,
        library,
        listeners: { changed: (change) => changed.publish(change), read: (gain) => read.publish(gain) },
      }),
    };
    const contract = readingContract(parts);
    context.provide(Reading, contract);
    context.contribute(SeriesFacets, new ReadingFacet(library, new ProgressRecords(reader)));
    context.routes([...readingRoutes({ library, reading: contract }), ...formRoutes(contract)]);

    const following = new FollowingWorks(database, library, (change) => changed.publish(change));
    context.own(library.onIssuesMerged((merge) => following.follow(merge)));
    following.catchUp(context.signal).catch((problem: unknown) => {
      if (context.signal.aborted) return;
      context.log.warn("the progress in merged works could not be moved", { problem: String(problem) });
    });
    context.onUserDeleted((userId) => forgetUser(database, userId));
    context.onUserAdopted((change) => handOver(database, change));
  },
});
