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
import { questions, wantedQuestions, type Question } from "./support/collection-questions.ts";
import { inTurns, median, percentile, report, residentBytes, timeEach } from "./support/measure.ts";
import { seedCollection } from "./support/seeding/seed-collection.ts";

interface Address {
  readonly url: string;
  readonly key: string;
}

interface Large extends Address {
  readonly processId: number;
  readonly database: string;
}

/** A million issues; fewer to try the benchmark itself. */
const largeSeries = Number(process.env["LONGBOX_BENCH_SERIES"] ?? 150_000);
const program = `${import.meta.dirname}/support/collection-server.ts`;

async function withCollection(
  series: number,
  issues: number,
  measure: (server: Large) => Promise<void>,
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

const oneConnection = () => {
  const dispatcher = new Agent({ connections: 1 });
  return Object.assign(dispatcher, { [Symbol.asyncDispose]: () => dispatcher.close() });
};

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

/**
 * Memory of its own, without the pages of database files that are mapped into it (and counted once for each thread).
 */
async function ownBytes(processId: number): Promise<number> {
  return Number(/RssAnon:\s+(\d+)/.exec(await readFile(`/proc/${processId}/status`, "utf8"))?.[1] ?? Number.NaN) * 1024;
}

/** Milliseconds that bare SQLite takes for each of these questions, on the same file. */
function bare(database: string, statement: (index: number) => string): number[] {
  const engine = new DatabaseSync(database, { readOnly: true });
  const times = Array.from({ length: asked }, (_, index) => {
    const prepared = engine.prepare(statement(index));
    const begun = performance.now();
    JSON.stringify(prepared.all());
    return performance.now() - begun;
  });
  engine.close();
  return times;
}

const asked = 60;
const countedAtOnce =
  "select count(*), sum(missing > 0), sum(monitor = 'none'), sum(cv_id is null) from series where state = 'tracked'";

/** Asks the same questions of the server and of SQLite, in turns. */
async function measured(server: Large, get: (path: string) => Promise<unknown>, question: Question): Promise<void> {
  const { figure, goalMs, path, statement } = question;
  // Every round asks questions of its own: answers that were kept would help it.
  let round = 0;
  const at = (index: number) => round * asked + index;
  const idle = await timeEach(asked, () => get("/healthz"), 5);
  const { first, second } = await inTurns(
    3,
    () => timeEach(asked, (index) => get(path(at(index)))),
    async () => {
      const times = bare(server.database, (index) => statement(at(index)));
      round += 1;
      return times;
    },
  );
  const [ours, alone] = [median(first.map(median)), median(second.map(median))];
  const p95 = median(first.map((times) => percentile(times, 0.95)));
  report({
    bench: "collection",
    figure,
    p50Milliseconds: ours,
    p95Milliseconds: p95,
    slowestMilliseconds: percentile(first.flat(), 1),
    bareMilliseconds: alone,
    bareSlowestMilliseconds: percentile(second.flat(), 1),
    ratio: ours / alone,
    // The statement by itself, and a request by itself. A query that reads all rows would be hundreds of times as long.
    ofBoth: ours / (alone + median(idle)),
    atMost: { ofBoth: 30 },
    goal: `p95 under ${goalMs} ms`,
    ofGoal: p95 / goalMs,
  });
}

/** How long the counts take after a change, when nothing that was kept holds. */
async function measuredAfterChange(server: Large, get: (path: string) => Promise<unknown>): Promise<void> {
  await using dispatcher = oneConnection();
  const { id } = JSON.parse(await text(server, dispatcher, "/api/collection?limit=1"))[0];
  const times: number[] = [];
  const alone = median(bare(server.database, () => countedAtOnce));
  for (let index = 0; index < 40; index++) {
    const { statusCode, body } = await request(`${server.url}/api/collection/${id}/follow`, {
      dispatcher,
      method: "POST",
      headers: { "x-api-key": server.key },
    });
    await body.dump();
    if (statusCode !== 200) throw new Error(`Following answered ${statusCode}`);
    const begun = performance.now();
    await get("/api/collection/counts");
    times.push(performance.now() - begun);
  }
  report({
    bench: "collection",
    figure: "counts, right after a change",
    p50Milliseconds: median(times),
    p95Milliseconds: percentile(times, 0.95),
    slowestMilliseconds: percentile(times, 1),
    // Counting every series, as bare SQLite does.
    bareMilliseconds: alone,
    ratio: median(times) / alone,
    atMost: { ratio: 10 },
    ofGoal: percentile(times, 0.95) / 20,
    goal: "p95 under 20 ms",
  });
}

async function measuredMemory(server: Large): Promise<void> {
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
}

await withCollection(largeSeries, Math.round((largeSeries * 20) / 3), async (server) => {
  await using dispatcher = oneConnection();
  const get = client(server, dispatcher);
  for (const question of questions) await measured(server, get, question);
  await measuredAfterChange(server, get);
  for (const question of wantedQuestions) await measured(server, get, question);
  const [first, ...kept] = await timeEach(10, () => get("/api/stats"));
  report({
    bench: "collection",
    figure: "stats, counted again",
    milliseconds: first,
    keptMilliseconds: median(kept),
    keptShare: median(kept) / first!,
    atMost: { keptShare: 0.5 },
    slowestKeptMilliseconds: Math.max(...kept),
  });
  await measuredMemory(server);
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
  const rounds = await inTurns(
    3,
    () => perSecond(() => get("/api/collection")),
    () => perSecond(() => client({ url: `http://127.0.0.1:${address.port}`, key: "" }, dispatcher)("/")),
  );
  const [ours, theirs] = [median(rounds.first), median(rounds.second)];
  yardstick.closeAllConnections();
  yardstick.close();
  report({
    bench: "collection",
    figure: "the whole list of 1,000 series",
    bytes,
    perSecond: ours,
    slowestRoundPerSecond: Math.min(...rounds.first),
    barePerSecond: theirs,
    ratio: theirs / ours,
    atMost: { ratio: 3 },
    goal: "500 a second",
  });
});

/** Eight clients that ask for two seconds, each again as soon as it has its answer. */
async function perSecond(ask: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  let asked = 0;
  const one = async () => {
    while (performance.now() - started < 2000) {
      await ask();
      asked += 1;
    }
  };
  await Promise.all(Array.from({ length: 8 }, one));
  return asked / ((performance.now() - started) / 1000);
}
