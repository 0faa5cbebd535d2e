import { mkdir, realpath } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startKernelTestHost } from "@longbox/kernel/testing";
import { Collection, type CollectionContract } from "@longbox/collection/contract";
import { Reading, type Position, type ReadingContract } from "@longbox/reading/contract";
import type { Viewer } from "@longbox/sdk";
import type { TestClient, TestHost, TestHostOptions } from "@longbox/sdk/testing";

/** A server with works that are known without files: what was read of them can be told. */
export interface ReadingDesk extends AsyncDisposable {
  readonly host: TestHost;
  readonly library: CollectionContract;
  readonly reading: ReadingContract;
  /** Twenty pages each, in the order of their numbers. */
  readonly works: readonly number[];
  readonly seriesId: number;
  /** Places the works again, with other evidence. */
  place(series: string, numbers: readonly string[], cvIssueId?: number): Promise<number[]>;
}

export async function openReadingDesk(options: Partial<TestHostOptions> = {}): Promise<ReadingDesk> {
  const host = await startKernelTestHost({ plugins: ["collection", "reading"], ...options });
  const admin = host.as("admin");
  const rootFolder = await makeRootFolder();
  const libraryId = await openLibrary(admin, rootFolder);
  const library = host.use(Collection);
  const place = async (series: string, numbers: readonly string[], cvIssueId?: number) => {
    const placed = await library.placeFiles(
      numbers.map((number) => ({
        libraryId,
        path: `${rootFolder}/${series}/${number}.cbz`,
        name: `${number}.cbz`,
        sizeBytes: 10,
        modifiedAt: "2026-01-01T00:00:00.000Z",
        pages: 20,
        valid: true,
        tagged: true,
        series: { name: series, folder: `${rootFolder}/${series}`, year: 2001 },
        issue: { number, kind: "issue", ...(cvIssueId !== undefined && { cvIssueId }) },
      })),
    );
    return placed.map(({ issueId }) => issueId);
  };
  const works = await place("Moth Patrol", ["1", "2", "3"]);
  const [first] = await library.findIssues([works[0]!], viewerOf(1));
  return {
    host,
    library,
    reading: host.use(Reading),
    works,
    seriesId: first!.seriesId,
    place,
    [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
  };
}

/** A folder beside all data; nothing is ever written to it. */
async function makeRootFolder(): Promise<string> {
  const folder = join(tmpdir(), "longbox-reading-desk");
  await mkdir(folder, { recursive: true });
  return await realpath(folder);
}

/** The library of this folder, made first where a former server on the same data has not. */
async function openLibrary(admin: TestClient, rootFolder: string): Promise<number> {
  const known = (await admin.get("/api/libraries")).body.libraries as Array<{ id: number; rootFolder?: string }>;
  const kept = known.find((library) => library.rootFolder === rootFolder);
  if (kept) return kept.id;
  const made = await admin.post("/api/libraries", { name: "Comics", type: "comic", rootFolder });
  if (made.status >= 300) throw new Error(`The library could not be made: ${JSON.stringify(made.body)}`);
  return made.body.id;
}

/** What the kernel gives for a user; contracts take it from their callers. */
export function viewerOf(id: number, more: Partial<Viewer> = {}): Viewer {
  return { user: { id, username: `user ${id}`, role: "viewer" }, may: () => true, seesRestricted: true, ...more };
}

export function page(number: number, pages = 20): Position {
  return { kind: "page", page: number, pages };
}
