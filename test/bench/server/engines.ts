// The same library on SQLite and, after `longbox move`, on PostgreSQL: what readers wait for, and how much they can
// write. Both are asked in turns. LONGBOX_BENCH_ISSUES makes the library smaller.
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { postgresPrograms, startPostgres } from "@longbox/test/postgres";
import { Agent, request } from "undici";
import { moveInstallation } from "../../../kernel/dist/backup/index.js";
import { startChild, type ReadyChild } from "../support/child.ts";
import { questions, wantedQuestions, type Question } from "../support/collection-questions.ts";
import { inTurns, median, percentile, processorMs, report, timeEach } from "../support/measure.ts";
import { PlainClient } from "../support/plain-client.ts";
import { seedCollection } from "../support/seeding/seed-collection.ts";

interface Address {
  readonly url: string;
  readonly key: string;
  readonly keys: readonly string[];
}

interface Served {
  readonly server: Address;
  readonly processId: number;
}

interface Engines {
  readonly sqlite: Served;
  readonly postgres: Served;
}

const issues = Number(process.env["LONGBOX_BENCH_ISSUES"] ?? 1_000_000);
const asked = 40;
const program = `${import.meta.dirname}/../support/engine-server.ts`;
const silent = { debug: () => undefined, info: () => undefined, warn: () => undefined, error: () => undefined };
const compared = ["first pages of 60", "search", "counts, each for another search", "counts, asked again"];
const agent = new Agent({ connections: 50 });

/** Runs on two servers with the same content: on the files, and on what was moved from them. */
async function onBoth(seriesCount: number, issueCount: number, measure: (engines: Engines) => Promise<void>) {
  const folder = await mkdtemp(join(tmpdir(), "longbox-bench-engines-"));
  const [data, moved] = [join(folder, "data"), join(folder, "moved")];
  await using database = await startPostgres("durable");
  try {
    await (await startChild<Address>(program, [data]))[Symbol.asyncDispose]();
    seedCollection(await databaseOf(data), seriesCount, issueCount);
    const begun = performance.now();
    const { rows } = await moveInstallation({
      from: data,
      folder: moved,
      database: { postgres: database.url },
      log: silent,
      version: "1.0.0",
    });
    const seconds = (performance.now() - begun) / 1000;
    report({
      bench: "engines",
      figure: `longbox move of ${issueCount} issues`,
      rows,
      seconds,
      rowsPerSecond: rows / seconds,
      unbounded: "it is done once",
    });
    await using files = await startChild<Address>(program, [data]);
    await using served = await startChild<Address>(program, [moved, database.url]);
    await untilFound(files);
    await untilFound(served);
    await measure({ sqlite: servedBy(files), postgres: servedBy(served) });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const servedBy = ({ ready, process }: ReadyChild<Address>): Served => ({ server: ready, processId: process.pid! });

async function databaseOf(data: string): Promise<string> {
  const owner = join(data, "plugins/data/collection");
  const [place] = (await readdir(owner, { recursive: true })).filter((name) => name.endsWith("database.sqlite"));
  return join(owner, place as string);
}

/** The index of the search is not moved, but made again. */
async function untilFound({ ready }: ReadyChild<Address>): Promise<void> {
  const last = "/api/collection?limit=1&search=moth";
  while ((await ask(ready, last)).length <= 2) await new Promise((go) => setTimeout(go, 500));
}

async function ask({ url, key }: Pick<Address, "url" | "key">, path: string, body?: unknown): Promise<string> {
  const answer = await request(url + path, {
    dispatcher: agent,
    method: body === undefined ? "GET" : "POST",
    headers: { "x-api-key": key, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.body.text();
  if (answer.statusCode >= 300) throw new Error(`${path} answered ${answer.statusCode}: ${text}`);
  return text;
}

async function measured({ sqlite, postgres }: Engines, { figure, goalMs, path }: Question): Promise<void> {
  const rounds = { sqlite: 0, postgres: 0 };
  const round = (name: keyof Engines, server: Address) => () => {
    const from = rounds[name]++ * asked;
    return timeEach(asked, (index) => ask(server, path(from + index)), 3);
  };
  const { first, second } = await inTurns(3, round("sqlite", sqlite.server), round("postgres", postgres.server));
  const p95 = (times: readonly number[][]) => median(times.map((each) => percentile(each, 0.95)));
  report({
    bench: "engines",
    figure,
    issues,
    sqliteP50Ms: median(first.flat()),
    postgresP50Ms: median(second.flat()),
    sqliteP95Ms: p95(first),
    postgresP95Ms: p95(second),
    ratio: median(second.flat()) / median(first.flat()),
    ofSqliteGoal: p95(first) / goalMs,
    ofPostgresGoal: p95(second) / (2 * goalMs),
    goal: `p95 under ${goalMs} ms on SQLite and ${2 * goalMs} ms on PostgreSQL`,
    unbounded: "the goals are times of a machine that does nothing else",
  });
}

/** Fifty readers who turn pages, each in another issue, as fast as they are answered. */
async function turns({ url, keys }: Address, milliseconds = 3_000): Promise<number> {
  const clients = await Promise.all(keys.map((key) => PlainClient.open(url, key)));
  const begun = performance.now();
  let turned = 0;
  await Promise.all(
    clients.map(async (client, reader) => {
      for (let page = 0; performance.now() - begun < milliseconds; page = (page + 1) % 23) {
        await client.post(`/api/reader/issue/${reader + 1}/progress`, `{"page":${page},"pages":24}`);
        turned += 1;
      }
      client.close();
    }),
  );
  return turned / ((performance.now() - begun) / 1000);
}

async function wholeList({ url, key }: Address, milliseconds = 2_000): Promise<number> {
  const begun = performance.now();
  let answered = 0;
  const one = async () => {
    for (; performance.now() - begun < milliseconds; answered += 1) await ask({ url, key }, "/api/collection");
  };
  await Promise.all(Array.from({ length: 8 }, one));
  return answered / ((performance.now() - begun) / 1000);
}

/** How often readers are answered in a second. */
interface Rate {
  readonly figure: string;
  readonly count: typeof turns;
  readonly goal: string;
}

/** The rate, and the time of the server's processor for each answer, which other work on the machine changes less. */
async function rated({ server, processId }: Served, count: Rate["count"]) {
  const [before, begun] = [await processorMs(processId), performance.now()];
  const rate = await count(server);
  const answers = rate * ((performance.now() - begun) / 1000);
  return { rate, processor: ((await processorMs(processId)).own - before.own) / answers };
}

async function perSecond({ sqlite, postgres }: Engines, { figure, count, goal }: Rate) {
  await count(sqlite.server);
  await count(postgres.server);
  const { first, second } = await inTurns(
    3,
    () => rated(sqlite, count),
    () => rated(postgres, count),
  );
  const rateOf = (rounds: typeof first) => median(rounds.map(({ rate }) => rate));
  const processorOf = (rounds: typeof first) => median(rounds.map(({ processor }) => processor));
  report({
    bench: "engines",
    figure,
    sqlitePerSecond: rateOf(first),
    postgresPerSecond: rateOf(second),
    ratio: rateOf(second) / rateOf(first),
    sqliteProcessorMsEach: processorOf(first),
    postgresProcessorMsEach: processorOf(second),
    goal,
    unbounded: "the goals are rates of a machine that does nothing else",
  });
}

if (postgresPrograms === undefined) {
  report({ bench: "engines", unbounded: "PostgreSQL is not installed" });
  process.exit();
}
try {
  await onBoth(Math.ceil((issues * 3) / 20), issues, async (engines) => {
    for (const question of [...questions.filter(({ figure }) => compared.includes(figure)), ...wantedQuestions])
      await measured(engines, question);
    await perSecond(engines, {
      figure: "progress of 50 readers",
      count: turns,
      goal: "1,000 a second on SQLite, 2,000 on PostgreSQL",
    });
  });
  await onBoth(1_000, 20_000, (engines) =>
    perSecond(engines, { figure: "the whole list of 1,000 series", count: wholeList, goal: "500 a second on each" }),
  );
} finally {
  await agent.close();
}
