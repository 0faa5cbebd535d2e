import { Collection, Covers, CoverSources, LibraryTypes } from "@longbox/collection/contract";
import { FileFormats, FilesContent, FilesEngine } from "@longbox/files/contract";
import { CatalogShelves, RecordingSources } from "@longbox/opds/contract";
import { ChapterSources, Reading } from "@longbox/reading/contract";
import { definePlugin, TaskThread } from "@longbox/sdk";
import { Audiobooks } from "./audiobooks.js";
import { BookmarkRecords } from "./bookmark-records.js";
import { chapterSource } from "./chapter-source.js";
import { Conversions, findFfmpeg } from "./converting/conversions.js";
import type { CoverTasks } from "./covers/cover-tasks.js";
import { coverSource } from "./covers/cover-source.js";
import { audiobookType, audioFormats } from "./formats.js";
import { Listening } from "./listening.js";
import { bookmarks as bookmarksMigration } from "./migrations/0001-bookmarks.js";
import { OpenParts } from "./sending/open-parts.js";
import { bookRoutes } from "./routes/book-routes.js";
import { listeningRoutes } from "./routes/listening-routes.js";
import { overviewRoutes } from "./routes/overview-routes.js";
import { recordingSource } from "./recording-source.js";
import { Sounds } from "./sending/streaming.js";
import { audiobookShelf } from "./shelf.js";
import type { AudiobookTables } from "./tables.js";

/** The library type: its words are used by every list, page and feed that shows an audiobook. */
const libraryType = {
  id: audiobookType,
  label: "Audiobooks",
  words: { unit: { one: "audiobook", other: "audiobooks" }, length: "seconds", named: "by-title" },
} as const;

export default definePlugin({
  requires: { library: Collection, covers: Covers, files: FilesContent, engine: FilesEngine, reading: Reading },
  migrations: [bookmarksMigration],
  async activate({ library, covers, files, engine, reading }, context) {
    const tell = (...userIds: readonly number[]) => context.changed("audiobooks", { userIds });
    const audiobooks = new Audiobooks({ library, engine });
    for (const following of audiobooks.remembered.follow(library)) context.own(following);
    const bookmarks = new BookmarkRecords(context.storage.database<AudiobookTables>());
    const parts = context.own(new OpenParts(files));
    const conversions = context.own(new Conversions(await findFfmpeg()));
    const thread = context.own(
      new TaskThread<CoverTasks>({
        start: () => context.worker("covers", undefined, { expendable: true, heapMegabytes: 192 }),
      }),
    );
    const listening = new Listening({ audiobooks, reading, bookmarks, tell });

    context.contribute(LibraryTypes, libraryType);
    for (const format of audioFormats(context.workerUrl("inspect"))) context.contribute(FileFormats, format);
    context.contribute(CoverSources, coverSource({ audiobooks, files, thread }));
    context.contribute(ChapterSources, chapterSource(audiobooks));
    context.contribute(CatalogShelves, audiobookShelf(library));
    context.contribute(RecordingSources, recordingSource(audiobooks));
    context.routes([
      ...bookRoutes({ audiobooks, covers, sounds: new Sounds(parts), conversions }),
      ...listeningRoutes(listening),
      ...overviewRoutes({ audiobooks, library, listening, reading }),
    ]);

    context.own(reading.onChanged(({ userId }) => tell(userId)));
    context.own(library.onIssuesMerged(async (merge) => tell(...(await bookmarks.moveIssue(merge)))));
    bookmarks.followMissedMoves(library, context.signal).catch((problem: unknown) => {
      if (!context.signal.aborted)
        context.log.warn("Bookmarks of merged issues could not be moved", { problem: String(problem) });
    });
    context.onUserDeleted((userId) => bookmarks.forgetUser(userId));
    context.onUserAdopted((change) => bookmarks.handOver(change));
  },
});
