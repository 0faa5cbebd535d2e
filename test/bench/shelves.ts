// The index of shelves over a million issues: how long it takes to build, what it costs, and how fast it answers,
// beside SQLite with indexes on the same data, on disk and as sql.js in memory. LONGBOX_BENCH_ISSUES makes it smaller.
import { readFileSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { DatabaseSync } from "node:sqlite";
import initSqlJs from "sql.js";
import { Agent, request } from "undici";
import { startChild, type ReadyChild } from "./support/child.ts";
import { askSteadily, percentile, report, timeEach } from "./support/measure.ts";
import { flatten, kinds, seedDetails } from "./support/seeding/seed-details.ts";
import { seedCollection } from "./support/seeding/seed-collection.ts";

interface Address {
  readonly url: string;
  readonly admin: string;
  readonly viewer: string;
}

const issues = Number(process.env["LONGBOX_BENCH_ISSUES"] ?? 1_000_000);
const bench = "shelves";
const program = `${import.meta.dirname}/support/shelves-server.ts`;
const agent = new Agent({ connections: 4 });
const megabyte = 1024 * 1024;

const selections = [
  (at: number) => `publisher=Publisher%20${at % 200}`,
  (at: number) => `author=Writer%20${(at * 37) % kinds.writers}`,
  (at: number) => `genre=Genre%20${at % 60}&genre=Genre%20${(at + 7) % 60}`,
  (at: number) => `genre=Genre%20${at % 60}&publisher=-Publisher%20${at % 200}&format=cbz`,
  (at: number) => `owned=yes&decade=19${5 + (at % 5)}0`,
];
const selection = (at: number) => selections[at % selections.length]!(at);

/** Three facets of a genre, as statements with indexes. */
const counts = (at: number) => {
  const chosen = `item in (select item from genre where name = 'Genre ${at % 60}')`;
  return [
    `select name, count(*) n from author where ${chosen} group by name order by n desc limit 20`,
    `select name, count(*) n from genre where ${chosen} group by name order by n desc limit 60`,
    `select publisher, count(*) n from item where id in (select item from genre where name = 'Genre ${at % 60}') group by publisher order by n desc limit 20`,
  ];
};

const data = await mkdtemp(join(tmpdir(), "longbox-bench-shelves-"));
try {
  await (await startChild<Address>(program, [data]))[Symbol.asyncDispose]();
  const collection = await databaseOf(data, "collection");
  seedCollection(collection, Math.ceil(issues / 20), issues);
  seedDetails(collection);
  const flat = join(data, "flat.sqlite");
  flatten(collection, flat);
  await forgetIndex(data);
  {
    await using server = await startChild<Address>(program, [data]);
    await build(server);
    await ask(server.ready, flat);
    await follow(server.ready);
  }
  await restart();
} finally {
  await agent.close();
  await rm(data, { recursive: true, force: true });
}

async function get(url: string, key: string): Promise<any> {
  const answer = await request(url, { dispatcher: agent, headers: { "x-api-key": key } });
  const body: unknown = await answer.body.json();
  if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode} ${JSON.stringify(body)}`);
  return body;
}

/** The server builds the index by itself, since there is none. */
async function build(server: ReadyChild<Address>): Promise<void> {
  const { url, admin } = server.ready;
  const before = await usageOf(server.process.pid!);
  const steady = askSteadily(10, () => get(`${url}/healthz`, admin));
  const begun = performance.now();
  for (;;) {
    const status = await get(`${url}/api/shelves/rebuild/status`, admin);
    if (status.error !== undefined) throw new Error(status.error);
    if (!status.running && status.done > 0) break;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const seconds = (performance.now() - begun) / 1000;
  const waits = await steady.end();
  const after = await usageOf(server.process.pid!);
  const readMs = await readAll(await databaseOf(data, "collection"));
  report({
    bench,
    figure: "build",
    issues,
    seconds,
    yardstickSeconds: readMs / 1000,
    ratio: (seconds * 1000) / readMs,
    yardstick: "the same rows read by bare SQLite and parsed",
    healthzP50Ms: percentile(waits, 0.5),
    healthzP99Ms: percentile(waits, 0.99),
    processorSeconds: after.processorSeconds - before.processorSeconds,
    moreMegabytes: (after.bytes - before.bytes) / megabyte,
    atMost: { ratio: 20, moreMegabytes: 400 },
    goal: "under 60 s, healthz p99 under 50 ms, under 400 MB more",
  });
}

/** Memory of its own, without pages of files that the system can take back; and the time of all its threads. */
async function usageOf(processId: number): Promise<{ readonly bytes: number; readonly processorSeconds: number }> {
  const status = await readFile(`/proc/${processId}/status`, "utf8");
  const stat = await readFile(`/proc/${processId}/stat`, "utf8");
  const [user, system] = stat.slice(stat.lastIndexOf(")")).split(" ").slice(12, 14).map(Number);
  return { bytes: Number(/RssAnon:\s+(\d+)/.exec(status)?.[1]) * 1024, processorSeconds: (user! + system!) / 100 };
}

async function readAll(path: string): Promise<number> {
  using database = new DatabaseSync(path, { readOnly: true });
  const begun = performance.now();
  const rows = database
    .prepare(
      "select * from issue join issue_detail on issue_id = issue.id join series on series.id = series_id order by issue.id",
    )
    .iterate();
  let parsed = 0;
  for (const row of rows)
    for (const column of ["credits", "characters", "teams", "arcs", "subjects"])
      parsed += (JSON.parse(String(row[column])) as unknown[]).length;
  if (parsed === 0) throw new Error("Nothing was parsed.");
  return performance.now() - begun;
}

async function ask({ url, viewer }: Address, flat: string): Promise<void> {
  const asked: ReadonlyArray<readonly [string, number, (at: number) => string]> = [
    ["items, first pages", 50, (at) => `items?${selection(at)}&page=${at % 3}`],
    ["items, deep pages", 50, (at) => `items?genre=Genre%20${at % 60}&page=${100 + at}&sort=-date`],
    ["all facets of a selection", 100, (at) => `facets?${selection(at)}`],
    ["all facets of everything", 100, (at) => `facets?language=-x${at}`],
    ["authors by letter and text", 100, (at) => `authors?letter=W&q=${at}`],
  ];
  for (const [figure, goalMs, path] of asked) {
    const times = await timeEach(100, (at) => get(`${url}/api/shelves/${path(at)}`, viewer), 5);
    const [p50, p95] = [percentile(times, 0.5), percentile(times, 0.95)];
    const healthz = percentile(await timeEach(100, () => get(`${url}/healthz`, viewer)), 0.5);
    report({
      bench,
      figure,
      issues,
      p50Ms: p50,
      p95Ms: p95,
      ratio: p50 / healthz,
      yardstick: "GET /healthz",
      atMost: { ratio: 800 },
      goal: `p95 under ${goalMs} ms`,
    });
  }
  await compare({ url, viewer }, flat);
}

/** The same three facets from the index, from SQLite on disk, and from sql.js in memory. */
async function compare({ url, viewer }: Pick<Address, "url" | "viewer">, flat: string): Promise<void> {
  const own = await timeEach(
    40,
    (at) => get(`${url}/api/shelves/facets?genre=Genre%20${at % 60}&facet=author&facet=genre&facet=publisher`, viewer),
    3,
  );
  using disk = new DatabaseSync(flat, { readOnly: true });
  disk.exec("pragma cache_size = -500000");
  const onDisk = await timeEach(10, async (at) => counts(at).map((statement) => disk.prepare(statement).all()), 2);
  const { Database } = await initSqlJs();
  const before = process.memoryUsage.rss();
  const memory = new Database(readFileSync(flat));
  const inMemory = await timeEach(10, async (at) => counts(at).map((statement) => memory.exec(statement)), 2);
  const sqlJsMegabytes = (process.memoryUsage.rss() - before) / megabyte;
  memory.close();
  const [ownP50, diskP50, memoryP50] = [own, onDisk, inMemory].map((times) => percentile(times, 0.5)) as [
    number,
    number,
    number,
  ];
  report({
    bench,
    figure: "three facets of a selection",
    issues,
    p50Ms: ownP50,
    sqliteP50Ms: diskP50,
    sqlJsP50Ms: memoryP50,
    sqlJsMegabytes,
    ratio: ownP50 / diskP50,
    yardstick: "SQLite with indexes",
    atMost: { ratio: 0.5 },
    goal: "counting by columns is worth its code",
  });
}

/** How long it takes until a change of a series is seen. */
async function follow({ url, admin, viewer }: Address): Promise<void> {
  const times: number[] = [];
  for (let id = 1; id <= 5; id++) {
    const { total } = await get(`${url}/api/shelves/items?limit=1`, viewer);
    const begun = performance.now();
    await request(`${url}/api/collection/${id}/restricted`, {
      dispatcher: agent,
      method: "POST",
      headers: { "x-api-key": admin, "content-type": "application/json" },
      body: JSON.stringify({ restricted: true }),
    }).then((answer) => answer.body.dump());
    while ((await get(`${url}/api/shelves/items?limit=1`, viewer)).total === total);
    times.push(performance.now() - begun);
  }
  report({
    bench,
    figure: "a change is visible",
    issues,
    slowestMs: percentile(times, 1),
    atMost: { slowestMs: 2000 },
    goal: "2 s",
  });
}

async function restart(): Promise<void> {
  const begun = performance.now();
  await using server = await startChild<Address>(program, [data]);
  while (!(await get(`${server.ready.url}/api/shelves/status`, server.ready.viewer)).ready);
  report({
    bench,
    figure: "restart from the snapshot",
    issues,
    seconds: (performance.now() - begun) / 1000,
    unbounded: "it holds the start of the whole server",
  });
}

async function forgetIndex(folder: string): Promise<void> {
  for (const file of await readdir(folder, { recursive: true }))
    if (file.endsWith("index.snapshot")) await rm(join(folder, file));
}

async function databaseOf(folder: string, plugin: string): Promise<string> {
  const home = join(folder, "plugins/data", plugin);
  return join(
    home,
    (await readdir(home, { recursive: true })).find((path) => path.endsWith("database.sqlite"))!,
  );
}
