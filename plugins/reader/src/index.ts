import { definePlugin } from "@longbox/sdk";
import { Collection } from "@longbox/collection/contract";
import { Pages, RenderedPages } from "@longbox/comics/contract";
import { Reading } from "@longbox/reading/contract";
import { BookmarkRecords } from "./bookmark-records.js";
import { bookmarks as bookmarksMigration } from "./migrations/0001-bookmarks.js";
import { notes as notesMigration } from "./migrations/0002-notes.js";
import { opinions as opinionsMigration } from "./migrations/0003-opinions.js";
import { NoteRecords } from "./note-records.js";
import { OpinionRecords } from "./opinion-records.js";
import { followMissedMoves, moveIssue } from "./issue-moves.js";
import { forgetUser, handOver } from "./owned-records.js";
import { Preferences } from "./preferences.js";
import { issueRoutes } from "./routes/issue-routes.js";
import { opinionRoutes } from "./routes/opinion-routes.js";
import { pageRoutes } from "./routes/page-routes.js";
import { seriesRoutes } from "./routes/series-routes.js";
import { shelfRoutes } from "./routes/shelf-routes.js";
import { Shelves } from "./shelves.js";
import type { ReaderTables } from "./tables.js";
import { WebReading } from "./web-reading.js";

export default definePlugin({
  requires: { library: Collection, pages: Pages, rendered: RenderedPages, reading: Reading },
  migrations: [bookmarksMigration, notesMigration, opinionsMigration],
  activate({ library, pages, rendered, reading }, context) {
    const database = context.storage.database<ReaderTables>();
    const bookmarks = new BookmarkRecords(database);
    const notes = new NoteRecords(database);
    const opinions = new OpinionRecords(database);
    const sources = { library, pages, rendered, reading, bookmarks, notes, preferences: new Preferences(database) };
    const tell = (...userIds: readonly number[]) => context.changed("reader", { userIds });

    const web = new WebReading({ library, reading, bookmarks, notes, opinions, tell });

    context.routes([
      ...pageRoutes(sources),
      ...issueRoutes(web),
      ...opinionRoutes(web),
      ...shelfRoutes({ ...sources, shelves: new Shelves(library, reading) }),
      ...seriesRoutes(sources),
    ]);

    context.own(reading.onChanged(({ userId }) => tell(userId)));
    context.own(library.onIssuesMerged(async (merge) => tell(...(await moveIssue(database, library, merge)))));
    followMissedMoves(database, library, context.signal).then(
      (users) => tell(...users),
      (problem: unknown) => {
        if (context.signal.aborted) return;
        context.log.warn("bookmarks of merged issues could not be moved", { problem: String(problem) });
      },
    );
    context.onUserDeleted((userId) => forgetUser(database, userId));
    context.onUserAdopted((change) => handOver(database, change));
  },
});
