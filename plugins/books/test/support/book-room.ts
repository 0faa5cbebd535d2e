import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startKernelTestHost, type KernelTestHost } from "@longbox/kernel/testing";
import type { TestClient } from "@longbox/sdk/testing";

/** A server with one library of books. */
export interface BookRoom extends AsyncDisposable {
  readonly host: KernelTestHost;
  readonly root: string;
  readonly libraryId: number;
  /** Scans the library and waits for the end. */
  scan(): Promise<void>;
  /** Every book, by the name of its first file. */
  rows(): Promise<Record<string, BookRow>>;
  /** The issue's own id of the book that a file holds. @throws {Error} when there is none */
  idOf(fileName: string): Promise<number>;
  /** The negative id that stands in lists of all types. @throws {Error} when there is none */
  listedIdOf(fileName: string): Promise<number>;
}

export interface BookRow {
  readonly id: number;
  readonly cvIssueId: number;
  readonly seriesId: number;
  readonly series: string;
  readonly number: string;
  readonly title: string | null;
  readonly label: { readonly full: string; readonly within: string | null };
  readonly format: string | null;
  readonly corrupt: boolean;
  readonly files: ReadonlyArray<{ readonly name: string; readonly valid: boolean; readonly error?: string }>;
}

export interface BookRoomOptions {
  /** Writes books before the library is made. */
  readonly fill: (root: string) => Promise<unknown>;
  /** A folder of books that is there already, and stays. */
  readonly root?: string;
  readonly plugins?: NonNullable<Parameters<typeof startKernelTestHost>[0]>["plugins"];
  readonly dataFolder?: string;
  readonly storage?: "memory" | "sqlite";
}

const needed = ["imaging", "operations", "collection", "files", "reading", "opds", "books"];

export async function openBookRoom({ fill, plugins = [], ...options }: BookRoomOptions): Promise<BookRoom> {
  await using opening = new AsyncDisposableStack();
  const root = options.root ?? (await mkdtemp(join(tmpdir(), "longbox-books-")));
  if (options.root === undefined) opening.defer(() => rm(root, { recursive: true, force: true }));
  await fill(root);
  const host = opening.use(
    await startKernelTestHost({
      ...options,
      plugins: [...needed, ...plugins],
      settings: { files: { watchFolders: false } },
    }),
  );
  const admin = host.as("admin");
  const libraryId = await makeLibrary(admin, root);
  const owned = opening.move();
  return {
    host,
    root,
    libraryId,
    async scan() {
      const { startedAt } = (await admin.get("/api/scan-folder")).body;
      await admin.post(`/api/libraries/${libraryId}/scan`);
      await untilScanned(admin, startedAt);
    },
    rows: () => readRows(admin),
    idOf: async (fileName) => (await rowOf(admin, fileName)).id,
    listedIdOf: async (fileName) => (await rowOf(admin, fileName)).cvIssueId,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Makes the library and waits for its scan, unless a server before this one did. */
async function makeLibrary(admin: TestClient, rootFolder: string): Promise<number> {
  const [there] = (await admin.get("/api/libraries")).body.libraries as Array<{ id: number }>;
  if (there) return there.id;
  const made = await admin.post("/api/libraries", { name: "Books", type: "ebook", rootFolder });
  if (made.status >= 300) throw new Error(`The library could not be made: ${JSON.stringify(made.body)}`);
  await untilScanned(admin, undefined);
  return made.body.id;
}

async function rowOf(admin: TestClient, fileName: string): Promise<BookRow> {
  const row = Object.values(await readRows(admin)).find(({ files }) => files.some(({ name }) => name === fileName));
  if (!row) throw new Error(`There is no book ${fileName}.`);
  return row;
}

async function readRows(admin: TestClient): Promise<Record<string, BookRow>> {
  const found: Record<string, BookRow> = {};
  for (const { id, title } of (await admin.get("/api/collection")).body as Array<{ id: number; title: string }>)
    for (const issue of (await admin.get(`/api/collection/${id}`)).body.issues as Array<Omit<BookRow, "series">>)
      if (issue.files[0]) found[issue.files[0].name] = { ...issue, seriesId: id, series: title };
  return found;
}

async function untilScanned(admin: TestClient, before: string | undefined): Promise<void> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline;) {
    const { running, startedAt } = (await admin.get("/api/scan-folder")).body;
    if (!running && startedAt !== undefined && startedAt !== before) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("The scan did not end in a minute.");
}
