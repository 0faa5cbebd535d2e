import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Collection, LibraryTypes, type CollectionContract } from "@longbox/collection/contract";
import { definePlugin } from "@longbox/sdk";
import { startTestHost, type TestHost, type TestHostOptions } from "@longbox/sdk/testing";
import { StandIn } from "./stand-in.ts";

export interface BookSpec {
  readonly title: string;
  readonly authors?: readonly string[];
  readonly type?: "ebook" | "audiobook";
  readonly series?: string;
  readonly number?: string;
  readonly language?: string;
  readonly date?: string;
  readonly ids?: Readonly<Record<string, string>>;
}

/** A server with libraries of books, and Open Library on loopback. */
export interface BookRoom extends AsyncDisposable {
  readonly host: TestHost;
  readonly standIn: StandIn;
  readonly library: CollectionContract;
  /** A file of a book, as a scan would find it. @returns its issue, by the id that clients use, and its series */
  place(book: BookSpec): Promise<{ issueId: number; cvIssueId: number; seriesId: number }>;
  /** Runs a job of looking up all books to its end. */
  lookUp(): Promise<void>;
}

/** The library types that the plugins of books bring. */
export const bookTypes = {
  manifest: {
    id: "book-types",
    title: "Book types",
    description: "Library types of a test",
    sdk: "^1.0.0",
    contributes: { libraryTypes: "^1.0.0" },
  },
  plugin: definePlugin({
    activate(_, context) {
      for (const [id, length] of [
        ["ebook", "fraction"],
        ["audiobook", "seconds"],
      ] as const) {
        const unit = id === "ebook" ? { one: "book", other: "books" } : { one: "audiobook", other: "audiobooks" };
        context.contribute(LibraryTypes, { id, label: id, words: { unit, length, named: "by-title" } });
      }
    },
  }),
};

export async function openBookRoom(options: TestHostOptions & { openLibrary?: object } = {}): Promise<BookRoom> {
  const standIn = await StandIn.start();
  const root = await mkdtemp(join(tmpdir(), "longbox-books-"));
  const { openLibrary, settings, ...rest } = options;
  const { host, place: placeBook } = await openBooksAt(root, {
    ...rest,
    settings: { "open-library": { ...standIn.settings, ...openLibrary }, ...settings },
  });
  return {
    host,
    standIn,
    get library() {
      return host.use(Collection);
    },
    place: placeBook,
    lookUp: () => lookUp(host),
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      await standIn[Symbol.asyncDispose]();
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** A server with libraries of books in this folder, where they were not made before. */
export async function openBooksAt(
  root: string,
  { plugins = [], ...options }: TestHostOptions,
): Promise<Pick<BookRoom, "host" | "place">> {
  const host = await startTestHost({
    ...options,
    plugins: ["operations", "collection", "open-library", bookTypes, ...plugins],
  });
  const admin = host.as("admin");
  const libraries = new Map<string, number>();
  for (const { id, type } of (await admin.get("/api/libraries")).body.libraries) libraries.set(type, id);
  for (const type of ["ebook", "audiobook"]) {
    if (libraries.has(type)) continue;
    const rootFolder = join(root, type);
    await mkdir(rootFolder, { recursive: true });
    libraries.set(type, (await admin.post("/api/libraries", { name: type, type, rootFolder })).body.id);
  }
  return { host, place: (book) => place(host, root, { libraryId: libraries.get(book.type ?? "ebook")!, book }) };
}

async function place(host: TestHost, root: string, { libraryId, book }: { libraryId: number; book: BookSpec }) {
  const { title, authors = [], type = "ebook", language, date, ids } = book;
  const series = book.series ?? authors[0] ?? title;
  const folder = join(root, type, series);
  const name = `${title}.epub`;
  const [placed] = await host.use(Collection).placeFiles([
    {
      libraryId,
      path: join(folder, name),
      name,
      sizeBytes: 1000,
      modifiedAt: "2026-01-01T00:00:00.000Z",
      pages: 0,
      valid: true,
      tagged: true,
      series: { name: series, folder },
      issue: {
        number: book.number ?? "",
        kind: "issue",
        title,
        language,
        coverDate: date,
        ids,
        credits: authors.map((author) => ({ name: author, role: "author" })),
      },
    },
  ]);
  const { issueId, seriesId } = placed!;
  return { issueId, cvIssueId: -issueId, seriesId };
}

async function lookUp(host: TestHost): Promise<void> {
  const { body } = await host.as("admin").post("/api/open-library/sync", {});
  await until(async () => {
    const job = await host.as("admin").get(`/api/jobs/${body.jobId}`);
    return ["done", "failed", "cancelled"].includes(job.body.state);
  });
}

/** Waits until something holds; a busy machine is given its time. */
export async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error("It did not come to pass in a minute.");
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}
