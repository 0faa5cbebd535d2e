// The offers of series that were split, over a hundred thousand titles: how long another request waits meanwhile,
// beside how long it takes alone. LONGBOX_BENCH_SERIES makes it smaller.
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { Agent, request } from "undici";
import { startChild } from "./support/child.ts";
import { askSteadily, percentile, report } from "./support/measure.ts";
import { seedCollection } from "./support/seeding/seed-collection.ts";

interface Address {
  readonly url: string;
  readonly key: string;
}

const series = Number(process.env["LONGBOX_BENCH_SERIES"] ?? 100_000);
const program = `${import.meta.dirname}/support/collection-server.ts`;
const agent = new Agent({ connections: 4 });
const everyMs = 5;

const data = await mkdtemp(join(tmpdir(), "longbox-bench-split-"));
try {
  await (await startChild<Address>(program, [data]))[Symbol.asyncDispose]();
  const home = join(data, "plugins/data/collection");
  const files = await readdir(home, { recursive: true });
  seedCollection(
    join(
      home,
      files.find((path) => path.endsWith("database.sqlite"))!,
    ),
    series,
    series,
  );
  await using server = await startChild<Address>(program, [data]);
  await get(server.ready, "/api/library/split-series");
  const alone = await steadily(server.ready, () => new Promise((go) => setTimeout(go, 3_000)));
  const begun = performance.now();
  const beside = await steadily(server.ready, () => get(server.ready, "/api/library/split-series"));
  const seconds = (performance.now() - begun) / 1000;
  report({
    ...{ bench: "split-series", figure: "another request meanwhile", series, seconds },
    ...{ p99Alone: percentile(alone, 0.99), p99: percentile(beside, 0.99) },
    ...{ longestAlone: Math.max(...alone), longest: Math.max(...beside) },
    unbounded: "on two cores the thread that compares takes time from the clock of the other",
    goal: "no block above 50 ms",
  });
} finally {
  await agent.close();
  await rm(data, { recursive: true, force: true });
}

/** How long each request to the health of the server took while something else happened. */
async function steadily(server: Address, meanwhile: () => Promise<unknown>): Promise<number[]> {
  const asking = askSteadily(everyMs, () => get(server, "/healthz"));
  await meanwhile();
  return await asking.end();
}

async function get(server: Address, path: string): Promise<void> {
  const headers = { authorization: `Bearer ${server.key}` };
  const { statusCode, body } = await request(server.url + path, { dispatcher: agent, headers });
  const text = await body.text();
  if (statusCode !== 200) throw new Error(`${path} answers ${statusCode}: ${text}`);
}
