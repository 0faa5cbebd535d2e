// The catalog's feeds over 1,000 series, asked for by a few programs at a time: entries that lead on, and entries that
// are issues with their files, people and progress. The server is the one that `npm start` leaves behind, packed and
// with installed plugins.
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { DatabaseSync } from "node:sqlite";
import { Agent } from "undici";
import { median, percentile, report, residentBytes, timeEach } from "./support/measure.ts";
import { get } from "./support/reading-room.ts";
import { seedCollection } from "./support/seeding/seed-collection.ts";
import { startServed, type Served } from "./support/served/served.ts";

interface Address {
  readonly url: string;
  readonly key: string;
}

const plugins = ["imaging", "operations", "collection", "files", "comics", "reading", "reader", "opds"];
const series = 1000;
const atOnce = 8;
const feeds = [
  { bench: "opds 1.2, series", path: "/api/opds/series", pages: series / 50 },
  { bench: "opds 2.0, series", path: "/api/opds/v2/series", pages: series / 50 },
  { bench: "opds 1.2, recently added", path: "/api/opds/new", pages: 20 },
  { bench: "opds 2.0, recently added", path: "/api/opds/v2/new", pages: 20 },
  { bench: "opds 1.2, a series of 500 issues", path: "/api/opds/series/1", pages: 10 },
  { bench: "opds 2.0, a series of 500 issues", path: "/api/opds/v2/series/1", pages: 10 },
] as const;
type Feed = (typeof feeds)[number];

const data = await mkdtemp(join(tmpdir(), "longbox-bench-opds-"));
try {
  await using server = await startServed(plugins, data, fillCollection);
  const address = { url: server.url, key: await makeKey(server) };
  const agent = new Agent({ connections: atOnce });
  const residentNow = () => residentBytes(server.processId);
  report({
    bench: "opds, memory before the first feed",
    megabytes: (await residentNow()) / 1e6,
    unbounded: "what the feeds add to it is bounded",
  });
  await measure(feeds[0], address, agent);
  const before = await residentNow();
  for (const feed of feeds.slice(1)) await measure(feed, address, agent);
  const after = await residentNow();
  report({
    bench: "opds, memory",
    megabytes: after / 1e6,
    afterFirstFeedMegabytes: before / 1e6,
    ratio: after / before,
    atMost: { ratio: 1.5 },
    goal: "flat after the first feed",
  });
  await agent.close();
} finally {
  await rm(data, { recursive: true, force: true });
}

async function fillCollection(): Promise<void> {
  const owner = join(data, "plugins/data/collection");
  const place = (await readdir(owner, { recursive: true })).find((name) => name.endsWith("database.sqlite"));
  seedCollection(join(owner, place!), series, series * 5);
  giveManyIssues(join(owner, place!));
}

/** The admin's key, which is what reading apps send. */
async function makeKey({ url, headers }: Served): Promise<string> {
  const answer = await fetch(`${url}/api/auth/apikey`, { method: "POST", headers });
  if (!answer.ok) throw new Error(`The key was refused: ${await answer.text()}`);
  return ((await answer.json()) as { key: string }).key;
}

/** The first series is a long one: 500 issues of its own, all owned. */
function giveManyIssues(path: string): void {
  using database = new DatabaseSync(path);
  database.exec(
    "update issue set series_id = 1 where id in (select id from issue where owned = 1 limit 500); update file set series_id = 1 where issue_id in (select id from issue where series_id = 1)",
  );
}

/** Every page of the feed in turn, several at a time, against a request that does nothing but come and go. */
async function measure({ bench, path, pages }: Feed, { url, key }: Address, agent: Agent): Promise<void> {
  const ask = (index: number) => get(agent, `${url}${path}?page=${1 + (index % pages)}`, { "x-api-key": key });
  const idle = () => get(agent, `${url}/healthz`);
  const feedRates: number[] = [];
  const idleRates: number[] = [];
  const times: number[] = [];
  for (let round = 0; round < 4; round++) {
    feedRates.push(await rate(ask, 300, times));
    idleRates.push(await rate(idle, 300, []));
  }
  const aSecond = median(feedRates);
  report({
    bench,
    aSecond,
    p99: percentile(times, 0.99),
    slowest: percentile(times, 1),
    shareOfHealthz: aSecond / median(idleRates),
    atLeast: { shareOfHealthz: 0.012 },
    unit: "feeds of 50 entries",
    goal: "500 a second",
  });
}

async function rate(call: (index: number) => Promise<unknown>, count: number, times: number[]): Promise<number> {
  const begun = performance.now();
  const each = await Promise.all(
    Array.from({ length: atOnce }, (_, worker) =>
      timeEach(Math.ceil(count / atOnce), (index) => call(index * atOnce + worker)),
    ),
  );
  times.push(...each.flat());
  return (Math.ceil(count / atOnce) * atOnce * 1000) / (performance.now() - begun);
}
