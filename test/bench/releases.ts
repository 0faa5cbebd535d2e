// A year of releases matched to a collection of 3,000 series, and a crawl of 50 weeks at a provider that often asks to
// be left alone.
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { DatabaseSync } from "node:sqlite";
import { Agent, request } from "undici";
import { Provider, trouble } from "../../plugins/metadata/test/support/provider.ts";
import { startChild } from "./support/child.ts";
import { beside, percentile, report } from "./support/measure.ts";
import { get } from "./support/reading-room.ts";
import { seedCollection } from "./support/seeding/seed-collection.ts";

interface Address {
  readonly url: string;
  readonly key: string;
  readonly id: number;
}

const program = `${import.meta.dirname}/support/telling-server.ts`;
const series = 3_000;
const yearOfReleases = 10_000;
const dayMs = 86_400_000;
const weeks = Number(process.env["LONGBOX_BENCH_WEEKS"] ?? 50);
const refusedEvery = 200;
/** Makes the crawl long enough to be refused several times: pages of a hundred. */
const releasesAWeek = 1_200;

await matchYear();
await crawlWeeks();

async function matchYear(): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), "longbox-bench-releases-"));
  try {
    await (await startChild<Address>(program, [data]))[Symbol.asyncDispose]();
    seedCollection(await databaseOf(data, "collection"), series, series * 20);
    seedReleases(await databaseOf(data, "releases"));
    await using server = await startChild<Address>(program, [data]);
    const { url, key } = server.ready;
    const agent = new Agent({ connections: 1 });
    const answer = await request(`${url}/api/releases/calendar-key`, {
      method: "POST",
      headers: { "x-api-key": key },
    });
    const { calendar } = (await answer.body.json()) as { calendar: string };
    const database = await databaseOf(data, "releases");
    for (const [figure, address, most] of [
      ["a year", `${calendar}&show=tracked`, 120],
      ["a month", `${url}/api/releases?month=${new Date().toISOString().slice(0, 7)}`, 10],
    ] as const)
      await measureMatching(figure, () => get(agent, address, { "x-api-key": key }), { database, most });
    await agent.close();
  } finally {
    await rm(data, { recursive: true, force: true });
  }
}

async function measureMatching(
  figure: string,
  ask: () => Promise<unknown>,
  { database, most }: { readonly database: string; readonly most: number },
): Promise<void> {
  const { times, p50, otherP50, ratio } = await beside(async () => readBare(database), ask, 3);
  report({
    bench: "releases, matched",
    figure,
    series,
    releases: yearOfReleases,
    p50Ms: p50,
    slowestMs: percentile(times, 1),
    bareMs: otherP50,
    ratio,
    yardstick: "every release read by bare SQLite",
    atMost: { ratio: most },
    goal: "a year under 1 s",
  });
}

/** What the same rows take without a server and a collection. */
function readBare(path: string): void {
  using database = new DatabaseSync(path, { readOnly: true });
  JSON.stringify(database.prepare("select * from release join volume on volume.id = release.volume_id").all());
}

/** Releases of the year ahead; two of three volumes are in the collection. */
function seedReleases(path: string): void {
  using database = new DatabaseSync(path);
  database
    .prepare(`with recursive n (id) as (select 1 union all select id + 1 from n where id < :rows)
    insert into release (id, volume_id, volume_name, number, store_date, has_image, listed, first_seen, changed_at, revision)
    select id, 1 + id % (:series * 3 / 2), 'Volume ' || id, 1 + id / :series, date('now', '+' || (id % 365) || ' days'), 1, 1, 0, 0, 0 from n`)
    .run({ rows: yearOfReleases, series });
  database
    .prepare(`insert into volume (id, publisher, publisher_key, asked_at)
    select distinct volume_id, 'Publisher ' || (volume_id % 40), 'publisher ' || (volume_id % 40), 0 from release`)
    .run();
  database.exec("analyze");
}

async function crawlWeeks(): Promise<void> {
  await using provider = await Provider.start();
  fillWeeks(provider);
  let [questions, refused] = [0, 0];
  provider.always((response, from) => {
    questions += 1;
    if (questions % refusedEvery !== 0) return provider.answer(from, response);
    refused += 1;
    trouble.status(429, { "retry-after": "1" })(response, from);
  });
  const data = await mkdtemp(join(tmpdir(), "longbox-bench-releases-"));
  try {
    const settings = JSON.stringify({ ...provider.settings, requestsPerHour: 100_000 });
    await using server = await startChild<Address>(program, [data, settings]);
    const { state, seconds } = await crawl(server.ready);
    report({
      bench: "releases, crawl",
      weeks,
      questions: questions - refused,
      refused,
      state,
      seconds,
      ended: state === "done" ? 1 : 0,
      atLeast: { ended: 1 },
      goal: "ends by itself",
    });
  } finally {
    await rm(data, { recursive: true, force: true });
  }
}

function fillWeeks(provider: Provider): void {
  const day = (offset: number) => new Date(Date.now() + offset * dayMs).toISOString().slice(0, 10);
  const issues = Array.from({ length: weeks * releasesAWeek }, (_, index) => ({
    id: index + 1,
    issue_number: String(index + 2),
    store_date: day(Math.floor(index / releasesAWeek) * 7),
  }));
  provider.add({ id: 1, name: "Night Bell", issues });
}

async function crawl({ url, key }: Address): Promise<{ readonly state: string; readonly seconds: number }> {
  const headers = { "x-api-key": key, "content-type": "application/json" };
  const begun = performance.now();
  const check = await request(`${url}/api/releases/check`, { method: "POST", headers, body: "{}" });
  const { jobId } = (await check.body.json()) as { jobId: number };
  const state = await endOfJob(`${url}/api/jobs/${jobId}`, headers);
  return { state, seconds: (performance.now() - begun) / 1000 };
}

/** Waits for the end of a job. @returns its state */
async function endOfJob(url: string, headers: Record<string, string>): Promise<string> {
  for (;;) {
    const job = await request(url, { headers });
    const { state } = (await job.body.json()) as { state: string };
    if (state !== "queued" && state !== "running") return state;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

async function databaseOf(data: string, plugin: string): Promise<string> {
  const folder = join(data, "plugins/data", plugin);
  return join(
    folder,
    (await readdir(folder, { recursive: true })).find((path) => path.endsWith("database.sqlite"))!,
  );
}
