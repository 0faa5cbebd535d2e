import { Collection, Covers, CoverSources, LibraryTypes, type CollectionContract } from "@longbox/collection/contract";
import { FileFormats, FileHolders, FilesContent, FilesEngine } from "@longbox/files/contract";
import { CatalogShelves } from "@longbox/opds/contract";
import { ChapterSources, Reading } from "@longbox/reading/contract";
import { definePlugin, KernelPlugins, TaskThread, type PluginContext } from "@longbox/sdk";
import type { Kysely } from "kysely";
import { chapterSource } from "./chapters/chapter-source.js";
import { coverSource } from "./covers/cover-source.js";
import type { CoverTasks } from "./covers/cover-tasks.js";
import { FindingBooks } from "./finding/finding-books.js";
import { SendingBooks } from "./finding/sending-books.js";
import { bookType, fileFormats } from "./formats/book-formats.js";
import { books as booksMigration } from "./migrations/0001-books.js";
import { BookReading } from "./reading/book-reading.js";
import { BookmarkRecords } from "./reading/bookmark-records.js";
import { Bookmarks } from "./reading/bookmarks.js";
import { followMissedMoves, forgetUser, handOver, moveIssue } from "./reading/moving-records.js";
import { PlaceRecords } from "./reading/place-records.js";
import { remoteCovers as remoteCoversMigration } from "./migrations/0002-remote-covers.js";
import { openRemote } from "./remote/open-remote.js";
import { remoteCovers } from "./remote/remote-covers.js";
import { remoteFiles } from "./remote/remote-files.js";
import { bookmarkRoutes } from "./routes/bookmark-routes.js";
import { fileRoutes } from "./routes/file-routes.js";
import { listRoutes } from "./routes/list-routes.js";
import { progressRoutes } from "./routes/progress-routes.js";
import { booksSettings, type BooksSettings } from "./settings.js";
import { bookShelf } from "./shelf.js";
import type { BookTables } from "./tables.js";

export default definePlugin({
  requires: {
    library: Collection,
    covers: Covers,
    files: FilesContent,
    engine: FilesEngine,
    reading: Reading,
    plugins: KernelPlugins,
  },
  settings: booksSettings,
  migrations: [booksMigration, remoteCoversMigration],
  async activate({ library, covers, files, engine, reading, plugins }, context) {
    const database = context.storage.database<BookTables>();
    const tell = (...userIds: readonly number[]) => context.changed("ebooks", { userIds });
    const books = new FindingBooks({ library, engine });
    const positions = new BookReading({ books, reading, places: new PlaceRecords(database) });
    const bookmarks = new Bookmarks({ books, library, records: new BookmarkRecords(database), tell });
    const sending = new SendingBooks({ books, files });
    const fetching = await openRemote(context, { database, library, plugins });
    const thread = context.own(
      new TaskThread<CoverTasks>({
        start: () => context.worker("covers", undefined, { expendable: true, heapMegabytes: 256 }),
      }),
    );

    context.contribute(LibraryTypes, bookType);
    for (const format of fileFormats(context.workerUrl("inspect"))) context.contribute(FileFormats, format);
    context.contribute(CoverSources, coverSource({ library, files, engine, thread }));
    context.contribute(CoverSources, remoteCovers({ library, fetching, thread }));
    context.contribute(FileHolders, remoteFiles(fetching));
    context.contribute(ChapterSources, chapterSource({ library, files, thread }));
    context.contribute(CatalogShelves, bookShelf(library));
    context.routes([
      ...fileRoutes({ books, sending, covers }),
      ...progressRoutes(positions),
      ...bookmarkRoutes(bookmarks),
      ...listRoutes({ books, library, reading, positions }),
    ]);
    context.own(reading.onChanged(({ userId }) => tell(userId)));
    followAccountsAndMerges({ database, library, tell }, context);
  },
});

/** What users left in books follows the books, and goes with the users. */
function followAccountsAndMerges(
  {
    database,
    library,
    tell,
  }: {
    readonly database: Kysely<BookTables>;
    readonly library: CollectionContract;
    readonly tell: (...userIds: readonly number[]) => void;
  },
  context: PluginContext<BooksSettings>,
): void {
  context.own(library.onIssuesMerged(async (merge) => tell(...(await moveIssue(database, merge)))));
  followMissedMoves(database, library, context.signal).then(
    (users) => tell(...users),
    (problem: unknown) => {
      if (context.signal.aborted) return;
      context.log.warn("bookmarks of merged books could not be moved", { problem: String(problem) });
    },
  );
  context.onUserDeleted((userId) => forgetUser(database, userId));
  context.onUserAdopted((change) => handOver(database, change));
}
