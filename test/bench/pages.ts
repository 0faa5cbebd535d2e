// Pages as a reader asks for them, against nginx and sirv with the same bytes in plain files and against sharp by
// itself. Everything of one figure is measured in one run, in turns.
import { readFile } from "node:fs/promises";
import { performance } from "node:perf_hooks";
import { seededRandom } from "@longbox/test/fixtures";
import sharp from "sharp";
import { Agent } from "undici";
import { startChild } from "./support/child.ts";
import { askSteadily, beside, median, percentile, report, residentBytes, timeEach } from "./support/measure.ts";
import { startNginx } from "./support/nginx.ts";
import { get, openBenchRoom, type BenchRoom, type IssuePlan } from "./support/reading-room.ts";

const pageBytes = 1_400_000;
const words = [
  "Anchor",
  "Beacon",
  "Candle",
  "Dagger",
  "Ember",
  "Falcon",
  "Garnet",
  "Harbour",
  "Island",
  "Jackdaw",
  "Kettle",
  "Lantern",
  "Marble",
  "Nectar",
  "Orchid",
  "Pepper",
  "Quarry",
  "Raven",
  "Saddle",
  "Thistle",
];
const heavy: IssuePlan[] = words.map((word) => ({ name: `Heavy ${word}`, pages: 24, pageBytes }));
const plans: IssuePlan[] = [
  ...heavy,
  { name: "Short", pages: 20, pageBytes: 60_000 },
  { name: "Long", pages: 2000, pageBytes: 60_000 },
  ...["One", "Two", "Three", "Four"].map((name): IssuePlan => ({
    name: `Scan ${name}`,
    pages: 12,
    pageBytes,
    scans: true,
  })),
];

const memory: number[] = [];

await using room = await openBenchRoom(plans);
const agent = new Agent({ connections: 1 });
await using nginx = await startNginx(room.plain);
await using sirv = await startChild<{ url: string }>(`${import.meta.dirname}/support/sirv-server.ts`, [room.plain]);
const yardsticks = [...(nginx ? [{ name: "nginx", url: nginx.url }] : []), { name: "sirv", url: sirv.ready.url }];
const watch = setInterval(
  () =>
    void residentBytes(room.processId).then(
      (bytes) => memory.push(bytes),
      () => undefined,
    ),
  100,
);

await againstPlainFiles("pages, raw, in order", (index) => ["Heavy Anchor", index % 24]);
const random = seededRandom(7);
const chosen = Array.from({ length: 400 }, () => [heavy[random.between(0, 19)]!.name, random.between(0, 23)] as const);
await againstPlainFiles("pages, raw, at random over 20 issues", (index) => chosen[index % chosen.length]!);
await longArchives();
await inReadingOrder();
const renderingMs = await coldAgainstSharp();
await repeated();
await manyReaders();
clearInterval(watch);
report({
  bench: "pages, memory throughout",
  megabytes: Math.max(...memory) / 1e6,
  ratio: Math.max(...memory) / 350e6,
  atMost: { ratio: 1 },
  goal: "350 MB",
});
await agent.close();

async function againstPlainFiles(bench: string, pageOf: (index: number) => readonly [string, number]): Promise<void> {
  if (!nginx) process.stderr.write(`${bench}: there is no nginx here\n`);
  for (const yardstick of yardsticks) await against(yardstick, bench, pageOf);
}

async function against(
  yardstick: { name: string; url: string },
  bench: string,
  pageOf: (index: number) => readonly [string, number],
): Promise<void> {
  const plainPage = (name: string, page: number) =>
    get(agent, `${yardstick.url}/${encodeURIComponent(name)}/${page}.jpg`);
  const ours: number[] = [];
  const theirs: number[] = [];
  // A server runs for months: what its compiler learns in the first moments is no part of it.
  const warmUp = (round: number) => (round === 0 ? 1500 : 2);
  for (let round = 0; round < 6; round++) {
    const first = round * 60;
    ours.push(...(await timeEach(60, (index) => room.get(room.page(...pageOf(first + index))), warmUp(round))));
    theirs.push(...(await timeEach(60, (index) => plainPage(...pageOf(first + index)), warmUp(round))));
  }
  report({
    bench,
    yardstick: yardstick.name,
    p50: median(ours),
    p50Ratio: median(ours) / median(theirs),
    p99Ratio: percentile(ours, 0.99) / percentile(theirs, 0.99),
    slowest: percentile(ours, 1),
    atMost: { p50Ratio: 1.5, p99Ratio: 2 },
    goal: "p50 1.5, p99 2",
  });
}

async function longArchives(): Promise<void> {
  const times: Record<"Short" | "Long", number[]> = { Short: [], Long: [] };
  for (let round = 0; round < 6; round++) {
    for (const [name, pages] of [
      ["Short", 20],
      ["Long", 2000],
    ] as const)
      times[name].push(...(await timeEach(100, (index) => room.get(room.page(name, (index * 37) % pages)), 5)));
  }
  report({
    bench: "pages, 2,000 in the archive against 20",
    p50: median(times.Long),
    slowest: percentile(times.Long, 1),
    ratio: median(times.Long) / median(times.Short),
    atMost: { ratio: 1.5 },
    goal: "1.5",
  });
}

/** A reader looks at each page for a while; that is when the next ones are prepared. */
async function inReadingOrder(): Promise<void> {
  const times: number[] = [];
  for (let page = 0; page < 12; page++) {
    const begun = performance.now();
    await room.get(room.page("Scan One", page, "?w=1200"), { accept: "image/webp" });
    times.push(performance.now() - begun);
    await new Promise((resolve) => setTimeout(resolve, 1500));
  }
  report({
    bench: "pages, w=1200 in reading order, from the second on",
    p50: median(times.slice(1)),
    slowest: percentile(times.slice(1), 1),
    first: times[0],
    // The first page is rendered when it is asked for, the others before.
    shareOfFirst: median(times.slice(1)) / times[0]!,
    atMost: { shareOfFirst: 0.5 },
    unit: "ms",
    goal: "20 ms",
  });
}

/** @returns the milliseconds that sharp by itself takes for a page */
async function coldAgainstSharp(): Promise<number> {
  sharp.cache(false);
  sharp.concurrency(1);
  const scans = await Promise.all(
    Array.from({ length: 12 }, (_, page) => readFile(`${room.plain}/Scan Two/${page}.jpg`)),
  );
  const bare = async (index: number) =>
    sharp(scans[index], { failOn: "none" })
      .autoOrient()
      .resize({ width: 1200 })
      .toColourspace("srgb")
      .webp({ quality: 80, effort: 2 })
      .toBuffer();
  await bare(0);
  const ours: number[] = [];
  const theirs: number[] = [];
  // Backwards, so that no page has been prepared; what the last one asked for ahead is waited for.
  for (let page = 11; page >= 0; page--) {
    theirs.push(...(await timeEach(1, () => bare(page))));
    ours.push(...(await timeEach(1, () => room.get(room.page("Scan Two", page, "?w=1200"), { accept: "image/webp" }))));
    if (page >= 9) await new Promise((resolve) => setTimeout(resolve, 2500));
  }
  report({
    bench: "pages, w=1200 cold, against sharp by itself",
    p50: median(ours),
    slowest: percentile(ours, 1),
    ratio: median(ours) / median(theirs),
    atMost: { ratio: 1.1 },
    goal: "1.1",
  });
  return median(theirs);
}

async function repeated(): Promise<void> {
  const url = room.page("Scan One", 3, "?w=1200");
  const headers = { accept: "image/webp" };
  const { etag } = await room.get(url, headers);
  const idle = () => get(agent, `${room.url}/healthz`);
  for (const [bench, more, most] of [
    ["pages, w=1200 repeated", {}, 8],
    ["pages, 304", { "if-none-match": etag }, 5],
  ] as const) {
    const { times, p50, ratio } = await beside(idle, () => room.get(url, { ...headers, ...more }), 80);
    const atMost = { ratio: most };
    const slowest = percentile(times, 1);
    report({ bench, p50, slowest, ratio, yardstick: "GET /healthz", atMost, unit: "ms", goal: "1.5 ms" });
  }
}

async function manyReaders(): Promise<void> {
  const probe = new Agent({ connections: 100 });
  const probing = askSteadily(10, () => get(probe, `${room.url}/healthz`));
  const readers = Array.from({ length: 8 }, (_, reader) =>
    readThrough(`Scan ${["One", "Two", "Three", "Four"][reader % 4]}`, reader < 4 ? 1600 : 800),
  );
  await Promise.all(readers);
  const health = await probing.end();
  await probe.close();
  report({
    bench: "healthz while 8 read",
    p99: percentile(health, 0.99),
    slowest: percentile(health, 1),
    p50: median(health),
    probes: health.length,
    // No request waits for a rendering.
    ratio: percentile(health, 0.99) / renderingMs,
    yardstick: "rendering one page by sharp",
    atMost: { ratio: 0.5 },
    unit: "ms",
    goal: "p99 50 ms",
  });
}

async function readThrough(name: string, width: number): Promise<void> {
  for (let page = 0; page < 12; page++) {
    await (room as BenchRoom).get(room.page(name, page, `?w=${width}`), { accept: "image/webp" });
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
}
