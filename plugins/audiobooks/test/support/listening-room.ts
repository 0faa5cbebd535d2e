import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { startTestHost, type TestHost } from "@longbox/sdk/testing";

/** A running server with one library of audiobooks. */
export interface ListeningRoom extends AsyncDisposable {
  readonly host: TestHost;
  readonly root: string;
  /** Every audiobook by its title. */
  books(role?: string): Promise<Readonly<Record<string, BookRow>>>;
  /** Scans the library and waits for the end. */
  scan(): Promise<void>;
}

export interface BookRow {
  readonly id: number;
  readonly cvIssueId: number;
  readonly seriesId: number;
  readonly title: string | null;
  readonly number: string;
  readonly format: string | null;
  readonly seconds: number | null;
  readonly label: { readonly full: string; readonly within: string | null };
  readonly files: ReadonlyArray<{ readonly name: string; readonly valid: boolean; readonly error?: string }>;
}

export interface RoomOptions {
  readonly plugins?: readonly string[];
  readonly dataFolder?: string;
  readonly restricted?: boolean;
  /** Where the files are; made and removed again when it is left out. */
  readonly root?: string;
}

const needed = ["imaging", "operations", "collection", "files", "reading", "opds", "audiobooks"];

/** @param files - Contents by path below the library's folder, written before it is scanned */
export async function openListeningRoom(
  files: Readonly<Record<string, Uint8Array>>,
  options: RoomOptions = {},
): Promise<ListeningRoom> {
  await using opening = new AsyncDisposableStack();
  const root = options.root ?? (await mkdtemp(join(tmpdir(), "longbox-audiobooks-")));
  if (options.root === undefined) opening.defer(() => rm(root, { recursive: true, force: true }));
  await writeFiles(root, files);
  const host = opening.use(
    await startTestHost({
      plugins: [...needed, ...(options.plugins ?? [])],
      settings: { files: { watchFolders: false } },
      ...(options.dataFolder !== undefined && { dataFolder: options.dataFolder, storage: "sqlite" }),
    }),
  );
  const admin = host.as("admin");
  const library = { name: "Audiobooks", type: "audiobook", rootFolder: root, restricted: options.restricted ?? false };
  const known = (await admin.get("/api/libraries")).body.libraries as Array<{ id: number }>;
  const made = known[0] ? { status: 200, body: known[0] } : await admin.post("/api/libraries", library);
  if (made.status >= 300) throw new Error(`The library could not be made: ${JSON.stringify(made.body)}`);
  await untilScanned(host, undefined);
  const owned = opening.move();
  return {
    host,
    root,
    books: (role = "admin") => booksOf(host, role),
    async scan() {
      const { startedAt } = (await admin.get("/api/scan-folder")).body;
      await admin.post(`/api/libraries/${made.body.id}/scan`);
      await untilScanned(host, startedAt);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/**
 * They are an hour old, and so are their folders: the date of a file of this second identifies no version of it, so
 * `If-Range` does not hold.
 */
export async function writeFiles(root: string, files: Readonly<Record<string, Uint8Array>>): Promise<void> {
  const written = new Date(Date.now() - 3_600_000);
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
    await utimes(join(root, path), written, written);
  }
  for (const folder of new Set(Object.keys(files).map((path) => dirname(join(root, path)))))
    await utimes(folder, written, written);
}

async function booksOf(host: TestHost, role: string): Promise<Record<string, BookRow>> {
  const series = (await host.as(role).get("/api/collection?filter=audiobook")).body as Array<{ id: number }>;
  const found: Record<string, BookRow> = {};
  for (const { id } of series)
    for (const issue of (await host.as(role).get(`/api/collection/${id}`)).body.issues as BookRow[])
      found[issue.label.full] = issue;
  return found;
}

async function untilScanned(host: TestHost, before: string | undefined): Promise<void> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline;) {
    const { running, startedAt } = (await host.as("admin").get("/api/scan-folder")).body;
    if (!running && startedAt !== undefined && startedAt !== before) return;
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  throw new Error("The scan did not end in a minute.");
}
