// Lists, search, counts and status of a very large collection, and the whole list of a usual one, through HTTP.
// The yardstick of each query is the same statement, run by bare node:sqlite on the same file.
import { createServer } from "node:http";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { DatabaseSync } from "node:sqlite";
import { Agent, request } from "undici";
import { startChild } from "./support/child.ts";
import { percentile, report, residentBytes, timeEach } from "./support/measure.ts";
import { seedCollection } from "./support/seed-collection.ts";

interface Address {
  readonly url: string;
  readonly key: string;
}

const program = `${import.meta.dirname}/support/collection-server.ts`;

async function withCollection(
  series: number,
  issues: number,
  measure: (server: Address & { processId: number; database: string }) => Promise<void>,
): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), "longbox-bench-collection-"));
  try {
    await (await startChild<Address>(program, [data]))[Symbol.asyncDispose]();
    const owner = join(data, "plugins/data/collection");
    const [place] = (await readdir(owner, { recursive: true })).filter((name) => name.endsWith("database.sqlite"));
    const database = join(owner, place as string);
    seedCollection(database, series, issues);
    await using server = await startChild<Address>(program, [data]);
    await measure({ ...server.ready, processId: server.process.pid as number, database });
  } finally {
    await rm(data, { recursive: true, force: true });
  }
}

const client =
  ({ url, key }: Address, dispatcher: Agent) =>
  async (path: string) => {
    const { statusCode, body } = await request(url + path, { dispatcher, headers: { "x-api-key": key } });
    const bytes = (await body.arrayBuffer()).byteLength;
    if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}`);
    return bytes;
  };

async function text({ url, key }: Address, dispatcher: Agent, path: string): Promise<string> {
  return await (await request(url + path, { dispatcher, headers: { "x-api-key": key } })).body.text();
}

/** Memory of its own, without the pages of database files that are mapped into it (and counted once for each thread). */
async function ownBytes(processId: number): Promise<number> {
  return Number(/RssAnon:\s+(\d+)/.exec(await readFile(`/proc/${processId}/status`, "utf8"))?.[1] ?? Number.NaN) * 1024;
}

function bare(database: string, statement: string, rounds: number): number {
  const engine = new DatabaseSync(database, { readOnly: true });
  const prepared = engine.prepare(statement);
  const times = Array.from({ length: rounds }, () => {
    const begun = performance.now();
    JSON.stringify(prepared.all());
    return performance.now() - begun;
  });
  engine.close();
  return percentile(times, 0.5);
}

await withCollection(150_000, 1_000_000, async (server) => {
  await using dispatcher = Object.assign(new Agent({ connections: 1 }), {
    [Symbol.asyncDispose]: async () => dispatcher.close(),
  });
  const get = client(server, dispatcher);
  const measured = async (figure: string, paths: (index: number) => string, goalMs: number, yardstick: string) => {
    const times = await timeEach(60, (index) => get(paths(index)), 3);
    const alone = bare(server.database, yardstick, 10);
    report({
      bench: "collection",
      figure,
      p50Milliseconds: percentile(times, 0.5),
      p95Milliseconds: percentile(times, 0.95),
      bareMilliseconds: alone,
      ratio: percentile(times, 0.5) / alone,
      goal: `p95 under ${goalMs} ms`,
      ofGoal: percentile(times, 0.95) / goalMs,
    });
  };
  const page = "select * from series where state = 'tracked'";
  // Each question is another one, so that no kept answer helps; the last figures are of a question that comes again.
  await measured(
    "first pages of 60",
    (index) =>
      `/api/collection?limit=60&sort=${["title", "-title", "added", "missing", "-year", "latest"][index % 6]}&offset=${index}`,
    100,
    `${page} order by title_key, id limit 60`,
  );
  await measured(
    "deep pages of 60",
    (index) => `/api/collection?limit=60&offset=${50_000 + index * 1000}`,
    100,
    `${page} order by title_key, id limit 60 offset 50000`,
  );
  await measured(
    "filtered pages of 60",
    (index) =>
      `/api/collection?limit=60&filter=${["incomplete", "ongoing", "unmatched", "manga", "complete"][index % 5]}&offset=${index}`,
    100,
    `${page} and missing > 0 order by title_key, id limit 60`,
  );
  const words = [
    "moth",
    "lantern 1",
    "electric signal",
    "harb",
    "writer 7",
    "publisher 12",
    "raven 42",
    "#3",
    "ember #2",
    "silver tide 9",
  ];
  await measured(
    "search",
    (index) => `/api/collection?limit=60&search=${encodeURIComponent(words[index % 10] as string)}&offset=${index}`,
    50,
    `${page} and id in (select rowid from fulltext_series where fulltext_series match '"moth"*') order by title_key, id limit 60`,
  );
  await measured(
    "search with a narrow result",
    (index) => `/api/collection?limit=60&search=${encodeURIComponent(`${words[index % 5]} ${1000 + index}`)}`,
    50,
    `${page} and id in (select rowid from fulltext_series where fulltext_series match '"moth"* "1000"*') order by title_key, id limit 60`,
  );
  await measured(
    "counts, asked again",
    () => "/api/collection/counts",
    20,
    "select count(*), sum(missing > 0), sum(monitor = 'none'), sum(cv_id is null) from series where state = 'tracked'",
  );
  const { id } = JSON.parse(await text(server, dispatcher, "/api/collection?limit=1"))[0];
  const fresh = async () => {
    await request(`${server.url}/api/collection/${id}/follow`, {
      dispatcher,
      method: "POST",
      headers: { "x-api-key": server.key },
    }).then(({ body }) => body.dump());
    const begun = performance.now();
    await get("/api/collection/counts");
    return performance.now() - begun;
  };
  const afterChange: number[] = [];
  for (let index = 0; index < 40; index++) afterChange.push(await fresh());
  report({
    bench: "collection",
    figure: "counts, right after a change",
    p50Milliseconds: percentile(afterChange, 0.5),
    p95Milliseconds: percentile(afterChange, 0.95),
    ofGoal: percentile(afterChange, 0.95) / 20,
    goal: "p95 under 20 ms",
  });
  await measured(
    "counts, each for another library view",
    (index) => `/api/collection/counts?library=1&search=${encodeURIComponent(`${words[index % 5]} ${2000 + index}`)}`,
    20,
    "select count(*) from series where state = 'tracked' and id in (select rowid from fulltext_series where fulltext_series match '\"moth\"* \"2000\"*')",
  );
  await measured("status", () => "/api/status", 10, "select count(*) from series where state = 'tracked'");
  await measured(
    "wanted, newest first",
    (index) => `/api/wanted?limit=60&sort=newest&offset=${index}`,
    100,
    "select issue.* from issue where owned = 0 and present = 1 order by coalesce(store_date, cover_date) desc limit 60",
  );
  await measured(
    "wanted, first pages",
    (index) => `/api/wanted?limit=60&offset=${index}`,
    100,
    "select issue.* from issue join series on series.id = issue.series_id where issue.wanted = 1 order by title_key, sort_key limit 60",
  );
  const begun = performance.now();
  await get("/api/stats");
  report({ bench: "collection", figure: "stats, counted anew", milliseconds: performance.now() - begun });
  const [resident, own] = [await residentBytes(server.processId), await ownBytes(server.processId)];
  report({
    bench: "collection",
    figure: "memory of the server",
    megabytes: resident / 1e6,
    withoutMappedFilesMegabytes: own / 1e6,
    ratio: resident / 500e6,
    atMost: { ratio: 1 },
    goal: "under 500 MB",
  });
});

await withCollection(1_000, 20_000, async (server) => {
  await using dispatcher = Object.assign(new Agent({ connections: 8 }), {
    [Symbol.asyncDispose]: async () => dispatcher.close(),
  });
  const get = client(server, dispatcher);
  const bytes = await get("/api/collection");
  const plain = Buffer.alloc(bytes, "x");
  const yardstick = createServer((_, response) =>
    response.writeHead(200, { "content-type": "application/json", "content-length": plain.length }).end(plain),
  );
  await new Promise<void>((resolve) => yardstick.listen(0, "127.0.0.1", resolve));
  const address = yardstick.address() as { port: number };
  const perSecond = async (ask: () => Promise<unknown>) => {
    const started = performance.now();
    let asked = 0;
    const one = async () => {
      while (performance.now() - started < 4000) {
        await ask();
        asked += 1;
      }
    };
    await Promise.all(Array.from({ length: 8 }, one));
    return asked / ((performance.now() - started) / 1000);
  };
  const ours = await perSecond(() => get("/api/collection"));
  const theirs = await perSecond(() => client({ url: `http://127.0.0.1:${address.port}`, key: "" }, dispatcher)("/"));
  yardstick.closeAllConnections();
  yardstick.close();
  report({
    bench: "collection",
    figure: "the whole list of 1,000 series",
    bytes,
    perSecond: ours,
    barePerSecond: theirs,
    ratio: theirs / ours,
    goal: "500 a second",
  });
});
