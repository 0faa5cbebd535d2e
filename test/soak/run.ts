// `npm run soak -- --hours 2`: readers, scans, downloads, a provider that fails and plugins that are switched, for
// hours. The report is written to temp/soak. It ends with 1 when memory or handles grow, or an answer was wrong.
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { seededRandom } from "@longbox/test/fixtures";
import { downloader, lookups } from "./actors/fetching.ts";
import { browser, listener, opdsApp, reader } from "./actors/reading.ts";
import { scanner } from "./actors/scanning.ts";
import { publishGuest, switcher } from "./actors/switching.ts";
import { act, type Actor, type World } from "./actors/world.ts";
import { furnish, type Furnished } from "./support/furnishing.ts";
import { readOptions, type SoakOptions } from "./support/options.ts";
import { writeReport } from "./support/report.ts";
import { samples, type Sample } from "./support/sampling.ts";
import { startSoaked } from "./support/server.ts";
import { Tally } from "./support/tally.ts";
import { judge } from "./support/verdict.ts";

const root = join(import.meta.dirname, "../..");
const say = (line: string) => process.stderr.write(`${line}\n`);

function actorsOf(world: World, { library, provider, catalog, wantedSeries }: Furnished): Actor[] {
  return [
    ...[1, 2, 3].map((number) => reader(world, number)),
    ...[1, 2, 3, 4].map((number) => listener(world, number)),
    ...[browser(world), opdsApp(world), scanner(world, library), switcher(world)],
    downloader(world, { id: wantedSeries, catalog }),
    lookups(world, provider),
  ];
}

async function soak(options: SoakOptions, home: string): Promise<boolean> {
  await mkdir(options.folder, { recursive: true });
  say(`Starting a server; its log is ${join(options.folder, "server.log")} …`);
  await using server = await startSoaked(root, join(home, "data"), join(options.folder, "server.log"));
  // A download takes half a minute at the least.
  await using furnished = await furnish(server.url, home, Math.ceil(options.minutes * 2.5 * options.rate) + 10);
  await publishGuest(server);
  const { admin, viewer } = furnished;
  const [tally, began, end] = [new Tally(), new Date(), new AbortController()];
  const world: World = {
    ...{ url: server.url, adminKey: admin.key, viewerKey: viewer.key, tally, rate: options.rate },
    ...{ random: seededRandom(options.seed), signal: end.signal, issues: furnished.issues },
  };
  say(`Soaking ${server.url} for ${options.minutes} minutes, seed ${options.seed} …`);
  const stop = () => end.abort();
  const timer = setTimeout(stop, options.minutes * 60_000);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, stop);
  const working = Promise.all(actorsOf(world, furnished).map((actor) => act(world, actor)));
  const seen: Sample[] = [];
  let told = 0;
  for await (const sample of samples({ server, admin, tally }, { everyMs: options.sampleMs, signal: end.signal })) {
    seen.push(sample);
    if (seen.length % 24 === 0) say(lineOf(sample, tally));
    for (const { actor, what } of tally.wrong.slice(told)) say(`wrong: ${actor}: ${what}`);
    told = tally.wrong.length;
    if (server.ended() !== undefined) stop();
  }
  clearTimeout(timer);
  await working;
  const faults = tally.wrong.map(({ at, actor, what, times }) => `${at} ${actor}: ${what} (${times} of this kind)`);
  if (server.ended() !== undefined) faults.unshift(`The server ended ${server.ended()}.`);
  const verdict = judge(seen, faults);
  process.stdout.write(await writeReport({ options, root, began, samples: seen, tally, verdict }));
  return verdict.holds;
}

function lineOf(sample: Sample, tally: Tally): string {
  const { minute, treeMegabytes, residentMegabytes, heapMegabytes, descriptors, p99Ms } = sample;
  const megabytes = [treeMegabytes, residentMegabytes, heapMegabytes].map((size) => size.toFixed(0)).join("/");
  const { answers, wrongs } = tally;
  return `${minute.toFixed(0)} min: ${megabytes} MB, ${descriptors} descriptors, p99 ${p99Ms.toFixed(0)} ms, ${answers} answers, ${wrongs} wrong`;
}

const options = readOptions(process.argv.slice(2), root);
const home = await mkdtemp(join(tmpdir(), "longbox-soak-"));
try {
  if (!(await soak(options, home))) process.exitCode = 1;
} finally {
  await rm(home, { recursive: true, force: true });
}
