import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTestHost, type TestClient, type TestHost } from "@longbox/sdk/testing";
import { needsSqliteFiles, runsLongTests } from "@longbox/test/needs";
import { needsPostgres, startPostgres } from "@longbox/test/postgres";
import { expect, it } from "vitest";
import { moveInstallation } from "../../kernel/dist/backup/index.js";
import { seedCollection } from "../bench/support/seeding/seed-collection.ts";
import { Agent, request } from "undici";
import { answersOf, listPaths, type Asking } from "../whole/support/every-answer.ts";
import { accepted, builtPlugins, silent, until } from "./support/installations.ts";

/** LONGBOX_LONG_TESTS=1 moves as much as a large installation has. */
const [series, issues, readers] = runsLongTests ? [15_000, 100_000, 20] : [60, 400, 3];
/** The readers read in different parts of the library; the admin reads, too. */
const issuesOfEach = Math.floor(issues / (readers + 1));
/** Wrong secrets are counted and refused for a while; `restored.test.ts` asks these paths once. */
const ownSecrets = /^\/(kosync|kobo)\//;
const roles = ["admin", "trusted", "viewer"];

it(
  "answers every GET of each user as the server did whose library was moved to PostgreSQL",
  { timeout: runsLongTests ? 3_600_000 : 600_000, ...needsPostgres, ...needsSqliteFiles },
  async () => {
    await using server = await startPostgres();
    const folder = await mkdtemp(join(tmpdir(), "longbox-large-move-"));
    const [from, to] = [join(folder, "data"), join(folder, "moved")];
    const [plugins, database] = [builtPlugins(), { postgres: server.url }];
    try {
      await using before = await startTestHost({ plugins, storage: "sqlite", dataFolder: from });
      await before.stop();
      seedCollection(await databaseOf(from), series, issues);
      await before.restart();
      // The folder of the seeded library is not there, as each scan would tell in a notice of its own.
      await accepted(before.as("admin").post("/api/settings", { files: { scanAtStart: false } }));
      const users: TestClient[] = [];
      await fill(before.as("admin"), readers);
      for (let number = 0; number < readers; number += 1) {
        const reader = await before.user(`reader ${number}`, roles[number % roles.length]);
        await fill(reader, number);
        users.push(reader);
      }
      await untilQuiet(before);
      const moved = await moveInstallation({ from, folder: to, database, log: silent, version: "1.0.0" });
      expect(moved.rows).toBeGreaterThan(series + issues);

      await using after = await startTestHost({ plugins, storage: database, dataFolder: to });
      await untilQuiet(after);
      const paths = (await listPaths(before.as("admin"))).filter((path) => !ownSecrets.test(path));
      expect(await differences([before, after], users, paths)).toEqual([]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);

async function databaseOf(dataFolder: string): Promise<string> {
  const owner = join(dataFolder, "plugins/data/collection");
  const [place] = (await readdir(owner, { recursive: true })).filter((name) => name.endsWith("database.sqlite"));
  return join(owner, place as string);
}

/** The user reads, marks, lists and puts aside. */
async function fill(user: TestClient, number: number): Promise<void> {
  const first = 1 + number * issuesOfEach;
  for (let id = first; id < first + 5; id += 1)
    await accepted(user.post(`/api/reader/issue/${id}/progress`, { page: id % 23, pages: 24 }));
  await accepted(user.post("/api/reader/read-bulk", { ids: [first + 10, first + 11, first + 12], read: true }));
  await accepted(user.post(`/api/reader/later/${first + 20}`, { on: true }));
  await accepted(user.post("/api/lists", { name: `Of reader ${number}`, cvIssueIds: [first, first + 30] }));
}

/** What is derived from the tables is there, and no job runs. */
async function untilQuiet(host: TestHost): Promise<void> {
  const admin = host.as("admin");
  await until(async () => (await admin.get("/api/collection?limit=1&search=moth")).body.length > 0, 30_000);
  await until(async () => {
    const jobs = (await admin.get("/api/jobs")).body as Array<{ state: string }>;
    return jobs.every(({ state }) => state !== "running" && state !== "queued");
  }, 30_000);
}

/** What one of the users is answered differently by the two servers: the path, and both answers. */
async function differences(
  hosts: readonly [TestHost, TestHost],
  users: readonly TestClient[],
  paths: readonly string[],
) {
  // No connection is kept: one that waits while this process is busy may be closed by the server as it is used again.
  const agent = new Agent({ pipelining: 0, headersTimeout: 0, bodyTimeout: 0 });
  const different: { readonly user: number; readonly path: string; readonly answers: readonly string[] }[] = [];
  for (const [number, { key = "" }] of users.entries())
    for (const path of paths) {
      const [one, other] = await Promise.all(hosts.map((host) => answerOf(host, path, { agent, key })));
      if (one!.status === other!.status && one!.text === other!.text) continue;
      const answers = await Promise.all([one, other].map((answer) => withoutMoment(path, answer!)));
      if (answers[0] !== answers[1])
        different.push({ user: number, path, answers: answers.map((text) => text.slice(0, 2_000)) });
    }
  await agent.close();
  return different;
}

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** With the same words for the places of the server. */
  readonly text: string;
}

/** The keys of the users are moved with their accounts. */
async function answerOf(host: TestHost, path: string, as: { readonly agent: Agent; readonly key: string }) {
  const { statusCode, headers, body } = await request(host.url + path, {
    dispatcher: as.agent,
    headers: { "x-api-key": as.key },
  });
  // Bytes of pictures and archives are compared as text, too.
  const text = Buffer.from(await body.arrayBuffer()).toString("latin1");
  const type = String(headers["content-type"] ?? "");
  return {
    status: statusCode,
    headers: new Headers({ "content-type": type }),
    text: text.replaceAll(host.url, "server").replaceAll(host.dataFolder, "data"),
  };
}

async function withoutMoment(path: string, { status, headers, text }: Answer): Promise<string> {
  const bytes = Buffer.from(text, "latin1");
  const isJson = /json/.test(headers.get("content-type") ?? "");
  const body: unknown = isJson ? JSON.parse(bytes.toString()) : bytes.toString();
  const answered: Asking = { get: async () => ({ status, headers, bytes, body }) };
  return JSON.stringify((await answersOf(answered, [path], {}))[path]);
}
