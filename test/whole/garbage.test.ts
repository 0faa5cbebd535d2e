import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seededRandom, showcase, writeLibrary, type SeededRandom } from "@longbox/test/fixtures";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hostileBytes } from "./support/hostile-bytes.ts";
import { flawOf } from "./support/judging.ts";
import { operationsOf, RequestMaker, type Known, type Operation } from "./support/requests.ts";
import { startServer, type WholeServer } from "./support/server.ts";
import { bytesOf, exchange, readAnswers, type WireAnswer, type WireRequest } from "./support/wire.ts";

/** `LONGBOX_LONG_TESTS=1 LONGBOX_SEED=7 npm test -- test/whole/garbage` tries ten times as much, and other things. */
const isLong = process.env["LONGBOX_LONG_TESTS"] === "1";
/** Requests to each operation in a round. */
const requests = isLong ? 4 : 2;
/** The long run ends when its time is over, with other requests in each round. */
const [mostRounds, longestMs] = isLong ? [10, 25 * 60_000] : [1, Number.POSITIVE_INFINITY];
const seed = Number(process.env["LONGBOX_SEED"] ?? 20_261_121);
/**
 * An answer that takes longer is none. A provider that is away is asked three times for a person who waits, who so
 * waits twice, for as long as `metadata` waits for a provider that rests.
 */
const patienceMs = 10_000 + 2 * 15_000;
/** As long as the supervisor lets a kernel stand still, three times over: the machine has other things to do. */
const standstillMs = 15_000;
const password = "correct horse battery";
const roles = ["anonymous", "viewer", "trusted", "admin", "admin", "admin"] as const;
/** These take the callers' keys away or end the server, after which every answer would be the same. */
const left = new Set([
  "POST /api/restart",
  "POST /api/auth/apikey",
  "DELETE /api/auth/apikey",
  "POST /api/auth/logout",
]);
/** What must stay as it was, unless a request was accepted. */
const kept = [
  "/api/collection",
  "/api/libraries",
  "/api/settings",
  "/api/users",
  "/api/roles",
  "/api/plugins",
  "/api/lists",
  "/api/schedules",
];

let folder: string;
let server: WholeServer;
let keys: Readonly<Record<string, string>>;
let document: any;
let known: Known;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "longbox-garbage-"));
  await writeLibrary(join(folder, "comics"), showcase.slice(0, 3));
  server = await startServer(join(folder, "data"));
  keys = await makePeople();
  known = await fill();
  document = await get("/api/openapi.json");
});

afterAll(async () => {
  await server?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function post(path: string, body: unknown, key?: string): Promise<any> {
  const answer = await fetch(server.url + path, {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json", ...(key !== undefined && { "x-api-key": key }) },
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
  return { cookie: answer.headers.get("set-cookie")?.split(";")[0], body: await answer.json() };
}

async function get(path: string): Promise<any> {
  return (await fetch(server.url + path, { headers: { "x-api-key": keys["admin"]! } })).json();
}

/** An account for each role, and its key. */
async function makePeople(): Promise<Record<string, string>> {
  const made: Record<string, string> = {};
  for (const role of ["admin", "viewer", "trusted", "somebody"]) {
    if (role === "admin") await post("/api/auth/register", { username: role, password });
    else
      await post(
        "/api/users",
        { username: role, password, role: role === "somebody" ? "viewer" : role },
        made["admin"],
      );
    const { cookie } = await post("/api/auth/login", { username: role, password });
    const answer = await fetch(`${server.url}/api/auth/apikey`, {
      method: "POST",
      headers: { cookie, origin: server.url },
    });
    made[role] = ((await answer.json()) as { key: string }).key;
  }
  return made;
}

/** A scanned library and a reading list, and what requests need to know to be about them. */
async function fill(): Promise<Known> {
  const { admin } = keys;
  // Nothing answers there: no test asks the servers of others.
  const nowhere = "http://127.0.0.1:9/";
  const lists = { catalogIndexUrl: nowhere, catalogFilesUrl: nowhere };
  // A watched folder tells of what an accepted request wrote while later ones are judged.
  const files = { watchFolders: false };
  await post("/api/settings", { metadata: { baseUrl: nowhere, apiKey: "no key" }, lists, files }, admin);
  const rootFolder = join(folder, "comics");
  await post("/api/libraries", { name: "Comics", type: "comic", rootFolder }, admin);
  const [series] = await until(
    () => get("/api/collection"),
    (rows) => rows.length === 3 && rows.every((row: any) => row.owned > 0),
  );
  const [library] = (await get("/api/libraries")).libraries;
  const [issue] = (await get(`/api/collection/${series.id}`)).issues;
  const list = (await post("/api/lists", { name: "Kept" }, admin)).body;
  await post(`/api/lists/${list.id}/items`, { cvIssueId: issue.cvIssueId }, admin);
  await post("/api/roles", { name: "guests", permissions: ["library.view"] }, admin);
  const somebody = (await get("/api/users")).find((user: any) => user.username === "somebody");
  const { cvIssueId, id: issueId } = issue;
  return {
    ...{
      id: series.id,
      seriesId: series.id,
      ids: [series.id],
      cvIssueId,
      cvIssueIds: [cvIssueId],
      cvId: cvIssueId,
      issueId,
      n: 0,
      page: 1,
      pages: 4,
      listId: list.id,
      libraryId: library.id,
      library: library.id,
    },
    ...{
      name: "plausible-name",
      role: "viewer",
      rootFolder,
      path: join(rootFolder, "Moth Patrol (2019)"),
      folder: rootFolder,
      url: nowhere,
      baseUrl: nowhere,
      timeZone: "Europe/Berlin",
    },
    ...{
      "/api/users/{id}": somebody.id,
      "/api/lists/{id}": list.id,
      "/api/libraries/{id}": library.id,
      "/api/roles/{name}": "guests",
      "/api/plugins/{name}": "stats",
      "/api/opds/libraries/{id}": library.id,
      "/api/opds/v2/libraries/{id}": library.id,
    },
    ...{
      "/api/schedules/{key}": (await get("/api/schedules"))[0].key,
      "/api/tools/{tool}": (await get("/api/tools"))[0].key,
      "POST /api/settings": await get("/api/settings"),
      "POST /api/auth/login": { username: "viewer", password },
    },
    ...{
      "POST /api/lists/import-cbl":
        '<?xml version="1.0"?><ReadingList><Name>Plain</Name><Books><Book Series="Moth Patrol" Number="1" Volume="2019" Year="2019"/></Books></ReadingList>',
    },
  };
}

async function until<T>(ask: () => Promise<T>, good: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (good(answer)) return answer;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function cancel(jobId: number): Promise<void> {
  const headers = { "x-api-key": keys["admin"]! };
  const { status } = await fetch(`${server.url}/api/jobs/${jobId}/cancel`, { method: "POST", headers });
  // One that has ended by now is in conflict.
  expect([200, 409]).toContain(status);
}

/**
 * What an accepted request set going may go on for a while; what waits for a provider that is not there is cancelled.
 */
async function endJobs(): Promise<void> {
  const patience = performance.now() + 1_000;
  await until(
    async () => {
      const jobs = (await get("/api/jobs")) as Array<{ id: number; state: string }>;
      const open = jobs.filter(({ state }) => state === "running" || state === "queued");
      if (performance.now() > patience) await Promise.all(open.map(({ id }) => cancel(id)));
      return open;
    },
    (open) => open.length === 0,
  );
}

async function keptState(): Promise<string> {
  await endJobs();
  return JSON.stringify(
    await Promise.all(kept.map(async (path) => [path, withoutMoments(await get(path))])),
    undefined,
    1,
  );
}

/**
 * Without what tells of the moment, and the size of files: the watched folder tells later of what an accepted request
 * wrote.
 */
function withoutMoments(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutMoments);
  if (value === null || typeof value !== "object") return value;
  const moments = new Set(["lastSeenAt", "nextRunAt", "lastRunAt", "lastState", "faults", "running", "size"]);
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !moments.has(name))
      .map(([name, inner]) => [name, withoutMoments(inner)]),
  );
}

/** The first lines that differ. */
function differing(before: string, after: string): string {
  const [old, young] = [before.split("\n"), after.split("\n")];
  const at = old.findIndex((line, index) => line !== young[index]);
  return `${old.slice(at, at + 3).join(" ")} into ${young.slice(at, at + 3).join(" ")}`;
}

interface Tally {
  readonly flaws: string[];
  answered: number;
  accepted: number;
}

const secrets = () => [folder, process.cwd()].filter((secret) => secret.length > 5);

function describeRequest(role: string, request: WireRequest): string {
  const show = (text: string) => (text.length > 300 ? `${text.slice(0, 300)}… (${text.length})` : text);
  return `${role} ${request.method} ${show(request.target)} ${show(JSON.stringify(request.headers))} ${show(request.body?.toString() ?? "")}`;
}

async function tryOne(tally: Tally, role: string, request: WireRequest): Promise<void> {
  const key = keys[role];
  const signed =
    key === undefined || request.headers.some(([name]) => /^(authorization|x-api-key|cookie)$/i.test(name))
      ? request
      : { ...request, headers: [["X-Api-Key", key] as const, ...request.headers] };
  let answer: WireAnswer | undefined;
  let flaw: string | undefined;
  try {
    [answer] = readAnswers(await exchange(server.url, bytesOf(signed), { patienceMs }));
    // What the caller said may be said back.
    flaw = flawOf(
      signed,
      answer,
      secrets().filter(
        (secret) =>
          !request.body?.includes(secret) &&
          !decodeURIComponent(request.target.replace(/%(?![0-9a-f]{2})/gi, "%25").replace(/%[89a-f]./gi, "_")).includes(
            secret,
          ),
      ),
    );
  } catch (failure) {
    flaw = String(failure);
  }
  if (flaw !== undefined) tally.flaws.push(`${describeRequest(role, request)}: ${flaw}`);
  tally.answered += 1;
  if (answer !== undefined && answer.status < 300 && !["GET", "HEAD", "OPTIONS"].includes(request.method))
    tally.accepted += 1;
}

/** Asks all the while whether the server answers. */
function watchHealth(): { slowestMs(): Promise<number> } {
  let watching = true;
  let slowest = 0;
  const watched = (async () => {
    while (watching) {
      const started = performance.now();
      expect(await (await fetch(`${server.url}/healthz`)).json()).toMatchObject({ ok: true });
      slowest = Math.max(slowest, performance.now() - started);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    return slowest;
  })();
  watched.catch(() => undefined);
  return {
    slowestMs() {
      watching = false;
      return watched;
    },
  };
}

async function tryOperation(
  tally: Tally,
  maker: RequestMaker,
  random: SeededRandom,
  operation: Operation,
  times: number,
): Promise<void> {
  for (let count = 0; count < times; count++) {
    const request = maker.make(operation);
    if (!left.has(`${request.method} ${operation.path}`)) await tryOne(tally, random.pick(roles), request);
  }
}

describe("garbage at every door", () => {
  it(
    "is refused with an error that says what is wrong, and changes nothing",
    { timeout: isLong ? 3_600_000 : 600_000 },
    async () => {
      const random = seededRandom(seed);
      const maker = new RequestMaker(random, document, known);
      const operations = operationsOf(document).filter(({ method, path }) => !left.has(`${method} ${path}`));
      const tally: Tally = { flaws: [], answered: 0, accepted: 0 };
      const changed: string[] = [];
      let state = await keptState();
      const before = server.holds();
      const health = watchHealth();
      const ends = performance.now() + longestMs;
      let rounds = 0;
      for (; rounds < mostRounds && (rounds === 0 || performance.now() < ends); rounds++)
        for (const operation of operations) {
          tally.accepted = 0;
          await tryOperation(tally, maker, random, operation, requests);
          if (operation.method === "GET") continue;
          const now = await keptState();
          if (now !== state && tally.accepted === 0)
            changed.push(
              `${operation.method} ${operation.path} refused everything and changed ${differing(state, now)}`,
            );
          state = now;
        }
      if (isLong) process.stderr.write(`${rounds} of ${mostRounds} rounds, ${tally.answered} requests\n`);
      expect({ flaws: tally.flaws, changed }).toEqual({ flaws: [], changed: [] });
      expect(tally.answered).toBeGreaterThan(operations.length * rounds * requests * 0.9);
      for (const role of ["viewer", "trusted", "admin"])
        expect(
          await (await fetch(`${server.url}/api/auth/me`, { headers: { "x-api-key": keys[role]! } })).json(),
        ).toMatchObject({ user: { username: role, role } });
      expect(await health.slowestMs()).toBeLessThan(standstillMs);
      // Workers, databases and archives are opened as they are needed, and stay open for a while; what leaks grows with
      // the requests.
      const after = server.holds();
      expect(after.descriptors - before.descriptors).toBeLessThan(80);
      expect(after.megabytes - before.megabytes).toBeLessThan(250);
    },
  );

  it("is answered or cut off, when it is not even a request", async () => {
    const before = await keptState();
    const flaws: string[] = [];
    for (const [name, bytes] of hostileBytes(keys["admin"]!)) {
      const heard = await exchange(server.url, bytes, { patienceMs, hangUp: true });
      // A request that stops in the middle may get no answer; one that gets an answer gets it in the usual form, and
      // once.
      const answers = readAnswers(heard);
      const wrong = answers.map((answer) => flawOf({ method: "GET", target: "", headers: [] }, answer, secrets()));
      if (heard.length > 0 && answers.length === 0) wrong.push(`answered ${heard.toString("latin1").slice(0, 100)}`);
      if (answers.length > 1 && !name.includes("next request")) wrong.push(`answered ${answers.length} times`);
      flaws.push(...wrong.filter((flaw) => flaw !== undefined).map((flaw) => `${name}: ${flaw}`));
    }
    expect(flaws).toEqual([]);
    expect(await keptState()).toEqual(before);
  });
});
