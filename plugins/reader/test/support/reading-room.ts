import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startKernelTestHost } from "@longbox/kernel/testing";
import type { TestClient, TestHost, TestHostOptions } from "@longbox/sdk/testing";
import { writeLibrary, type SeriesPlan } from "@longbox/test/fixtures";

export interface RoomIssue {
  readonly id: number;
  readonly cvIssueId: number;
  readonly seriesId: number;
  readonly number: string;
  readonly path: string;
}

/** A server with one scanned library, to read in. */
export interface ReadingRoom extends AsyncDisposable {
  readonly host: TestHost;
  readonly root: string;
  readonly libraryId: number;
  /** @throws {Error} when the library has no such issue */
  issue(series: string, number: string): Promise<RoomIssue>;
  scan(): Promise<void>;
}

export interface RoomOptions {
  readonly plans?: readonly SeriesPlan[];
  /** Puts other files into the library before it is scanned. */
  readonly fill?: (root: string) => Promise<unknown>;
  readonly type?: string;
  readonly plugins?: NonNullable<TestHostOptions["plugins"]>;
  readonly storage?: TestHostOptions["storage"];
  /** Proxies whose forwarding headers count. */
  readonly trustProxy?: string;
  /** Without accounts: everything is the local admin's. */
  readonly openMode?: boolean;
}

const usual: readonly SeriesPlan[] = [
  { title: "Moth Patrol", year: 2019, issues: ["1", "2", "3"] },
  { title: "Night Bell", year: 2016, issues: ["1"] },
];

export async function openReadingRoom(options: RoomOptions = {}): Promise<ReadingRoom> {
  const root = await mkdtemp(join(tmpdir(), "longbox-reading-"));
  await writeLibrary(root, options.plans ?? usual);
  await options.fill?.(root);
  const host = await startKernelTestHost({
    plugins: options.plugins ?? ["imaging", "operations", "collection", "files", "comics", "reading", "reader"],
    ...(options.storage && { storage: options.storage }),
    kernel: { trustProxy: options.trustProxy, ...(options.openMode && { setupToken: "a token for tests" }) },
  });
  const admin = host.as(options.openMode ? "anonymous" : "admin");
  const made = await admin.post("/api/libraries", { name: "Comics", type: options.type ?? "comic", rootFolder: root });
  if (made.status >= 300) throw new Error(`The library could not be made: ${JSON.stringify(made.body)}`);
  await untilScanned(admin, undefined);
  return {
    host,
    root,
    libraryId: made.body.id,
    issue: (series, number) => findIssue(admin, series, number),
    async scan() {
      const before = (await admin.get("/api/scan-folder")).body.startedAt;
      await admin.post(`/api/libraries/${made.body.id}/scan`, {});
      await untilScanned(admin, before);
    },
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      await rm(root, { recursive: true, force: true });
    },
  };
}

async function untilScanned(admin: TestClient, before: string | undefined): Promise<void> {
  await until(async () => {
    const { body } = await admin.get("/api/scan-folder");
    return !body.running && body.startedAt !== undefined && body.startedAt !== before;
  }, "The scan did not end.");
}

/** Waits for a condition. @throws {Error} with the message after a minute */
export async function until(condition: () => Promise<boolean>, message: string): Promise<void> {
  const end = Date.now() + 60_000;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(message);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function findIssue(admin: TestClient, series: string, number: string): Promise<RoomIssue> {
  const rows = (await admin.get("/api/collection")).body as Array<{ id: number; title: string }>;
  const row = rows.find((one) => one.title === series);
  const issues = row
    ? ((await admin.get(`/api/collection/${row.id}`)).body.issues as Array<
        RoomIssue & { files: Array<{ path: string }> }
      >)
    : [];
  const found = issues.find((issue) => issue.number === number);
  if (!found) throw new Error(`The library has no ${series} #${number}: ${rows.map((one) => one.title).join(", ")}`);
  return { id: found.id, cvIssueId: found.cvIssueId, seriesId: found.seriesId, number, path: found.files[0]!.path };
}
