import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTestHost, type TestHost, type TestHostOptions } from "@longbox/sdk/testing";
import { showcase, writeLibrary } from "@longbox/test/fixtures";
import { needsSqliteFiles } from "@longbox/test/needs";
import { needsPostgres, startPostgres } from "@longbox/test/postgres";
import { expect, it } from "vitest";
import { answersOf, listPaths } from "../whole/support/every-answer.ts";
import { moveInstallation, restoreBackup } from "../../kernel/dist/backup/index.js";
import { accepted, builtPlugins, silent, until } from "./support/installations.ts";

/**
 * There is no provider of metadata, of sign-ins and of lists here, no job, no book and no audiobook, no file was moved,
 * none is to be imported, and nothing is searched for; these lead nowhere, before and after. KOReader and Kobos sign in
 * by secrets of their own.
 */
const refusedHere = new RegExp(
  [
    /^\/api\/(cv|releases\/(calendar\.ics|releases\.atom|-\d+\/cover)|requests\/search|auth\/providers|lists\/cbl-catalog)(\/|$)/,
    /^\/api\/(search|sign-in-proxy\/logout|jobs\/1|opds\/(v2\/)?(publisher|shelves)|library\/(duplicates|repeated-pages|moves)\/\d+|shelves\/saved\/\d+|sign-in-oidc\/\d+)(\/|$)/,
    /^\/api\/(ebooks|audiobooks|book-reader|open-library)\/(issue|info|books|search|works)(\/|$)/,
    /^\/komga\/api\/v1\/(collections\/|books\/\d+\/(previous|next)$)/,
    /^\/api\/(libraries\/contents|plugins\/texts)$/,
    /^\/(kosync|kobo)\//,
    /^\/api\/import\/candidate\//,
  ]
    .map(({ source }) => source)
    .join("|"),
);

it("answers every GET as the server did of which the backup was made", { timeout: 120_000 }, () =>
  compare("sqlite", async (before, folder) => {
    const backup = await before.as("admin").post("/api/backup");
    return () => restoreBackup(join(before.dataFolder, "backups", backup.body.name), folder);
  }),
);

it(
  "answers every GET as the server did whose tables were moved to PostgreSQL, which goes on as it was",
  { timeout: 240_000, ...needsPostgres, ...needsSqliteFiles },
  async () => {
    await using server = await startPostgres();
    const database = { postgres: server.url };
    await compare(database, async (before, folder) => {
      const moved = await moveInstallation({
        from: before.dataFolder,
        folder,
        database,
        log: silent,
        version: "1.0.0",
      });
      expect(moved.tables).toBeGreaterThan(100);
      expect(moved.rows).toBeGreaterThan(100);
    });
  },
);

/**
 * Compares the answers of a server with those of another on a copy of its data.
 * @param copy - Makes the copy, or what makes it once the server has stopped
 */
async function compare(
  storage: NonNullable<TestHostOptions["storage"]>,
  copy: (before: TestHost, folder: string) => Promise<void | (() => Promise<unknown>)>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "longbox-restored-"));
  try {
    await writeLibrary(join(folder, "comics"), showcase.slice(0, 3));
    const wanted = builtPlugins();
    const before = await startTestHost({ plugins: wanted, storage: "sqlite", dataFolder: join(folder, "data") });
    const paths = await fill(before, join(folder, "comics")).then(() => listPaths(before.as("admin")));
    const makeCopy = await copy(before, join(folder, "copy"));
    const expected = await answersBy(before, paths);
    await before[Symbol.asyncDispose]();

    await makeCopy?.();
    await using after = await startTestHost({ plugins: wanted, storage, dataFolder: join(folder, "copy") });
    expect(await answersBy(after, paths)).toEqual(expected);
    const refused = Object.keys(expected).filter((path) => expected[path]!.status >= 300);
    expect(refused.filter((path) => !refusedHere.test(path))).toEqual([]);
    expect(paths.length - refused.length).toBeGreaterThan(60);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Gives every plugin something to remember. */
async function fill(host: TestHost, comics: string): Promise<void> {
  const admin = host.as("admin");
  await accepted(admin.post("/api/libraries", { name: "Comics", type: "comic", rootFolder: comics }));
  await until(
    async () =>
      (await admin.get("/api/collection")).body.length === 3 && !(await admin.get("/api/scan-folder")).body.running,
  );
  const [series] = (await admin.get("/api/collection")).body;
  const [issue] = (await admin.get(`/api/collection/${series.id}`)).body.issues;
  await accepted(admin.post(`/api/reader/issue/${issue.cvIssueId}/progress`, { page: 1, pages: issue.pageCount ?? 3 }));
  await accepted(admin.post(`/api/collection/${series.id}/follow`, { follow: true }));
  await accepted(admin.post("/api/lists", { name: "Favourites", cvIssueIds: [issue.cvIssueId] }));
  await accepted(
    admin.post("/api/settings", {
      backup: { keep: 3 },
      operations: { supportUrl: "https://support.example/", supportKey: "kept secret" },
    }),
  );
  await accepted(admin.post("/api/schedules/operations.backup", { cron: "15 4 * * *" }));
  await until(async () =>
    ((await admin.get("/api/jobs")).body as Array<{ state: string }>).every(
      (job) => job.state !== "running" && job.state !== "queued",
    ),
  );
}

const answersBy = (host: TestHost, paths: readonly string[]) =>
  answersOf(host.as("admin"), paths, { [host.url]: "server", [host.dataFolder]: "data" });
