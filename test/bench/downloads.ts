// Downloads: a full queue and a long history, 500 issues queued in one call, the server's own download of a gigabyte
// beside curl, and the time from a client's "done" to the first page in the reader. With a number, that many megabytes
// are downloaded.
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { writeArchive } from "@longbox/test/fixtures";
import { Agent, request } from "undici";
import { startChild, type ReadyChild } from "./support/child.ts";
import { median, percentile, processorMs, report, residentBytes, timeEach } from "./support/measure.ts";
import { startNginx } from "./support/nginx.ts";
import { get } from "./support/reading-room.ts";

interface Address {
  readonly url: string;
  readonly key: string;
  readonly issueIds: Readonly<Record<string, number>>;
}
type Server = ReadyChild<Address>;

const program = `${import.meta.dirname}/support/downloading-server.ts`;
const megabyte = 1_000_000;
const home = await mkdtemp(join(tmpdir(), "longbox-bench-downloads-"));
const [data, library, served, clients] = ["data", "library", "served", "client"].map((name) => join(home, name)) as [
  string,
  string,
  string,
  string,
];
const lists = [
  ["queue of 10,000", "/api/queue?limit=200"],
  ["queue of 10,000, its end", "/api/queue?limit=200&offset=9800"],
  ["history of 100,000", "/api/history?limit=200"],
  ["history of 100,000, its end", "/api/history?limit=200&offset=99000"],
] as const;
const agent = new Agent({ connections: 2 });

try {
  for (const folder of [library, served, clients]) await mkdir(folder);
  await using nginx = await startNginx(served);
  const start = async (): Promise<Server & { startMs: number }> => {
    const begun = performance.now();
    const server = await startChild<Address>(program, [data, library, nginx?.url ?? "http://127.0.0.1:1", clients]);
    return Object.assign(server, { startMs: performance.now() - begun });
  };
  await (await start())[Symbol.asyncDispose]();
  if (nginx) await benchOwnDownload(start, nginx.url);
  else report({ bench: "downloads", figure: "own download", unbounded: "there is no nginx on this machine" });
  await benchFinished(start);
  await benchLists(start);
} finally {
  await agent.close();
  await rm(home, { recursive: true, force: true });
}

async function post({ ready }: Server, path: string, body: unknown = {}): Promise<any> {
  const { statusCode, body: answer } = await request(`${ready.url}${path}`, {
    method: "POST",
    dispatcher: agent,
    headers: { "x-api-key": ready.key, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (statusCode >= 300) throw new Error(`${path} answered ${statusCode}: ${await answer.text()}`);
  return answer.json();
}

async function json({ ready }: Server, path: string): Promise<any> {
  const { statusCode, body } = await request(`${ready.url}${path}`, {
    dispatcher: agent,
    headers: { "x-api-key": ready.key },
  });
  if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}`);
  return body.json();
}

/**
 * Waits until the item of an issue is no longer in these states. To ask more often would slow down what is measured.
 */
async function untilPast(server: Server, states: readonly string[]): Promise<void> {
  for (;;) {
    const [item] = (await json(server, "/api/queue")).items;
    if (item === undefined || !states.includes(item.status)) {
      if (item?.status === "failed") throw new Error(item.error);
      return;
    }
    await pause(100);
  }
}

async function benchOwnDownload(start: () => Promise<Server>, url: string): Promise<void> {
  const megabytes = Number(process.argv[2] ?? 1000);
  const pages = new Map(
    Array.from({ length: 20 }, (_, page) => [`${page}.jpg`, filler((megabytes / 20) * megabyte)] as const),
  );
  const numbers = ["1", "3", "4"];
  for (const number of numbers) await writeArchive(join(served, `${number}.cbz`), pages);
  await using server = await start();
  const before = await residentBytes(server.process.pid!);
  const curl: Fetched[] = [];
  const own: Fetched[] = [];
  for (const number of numbers) {
    curl.push(await fetchByCurl(`${url}/${number}.cbz`));
    own.push(await fetchByServer(server, number));
  }
  const curlAndSyncMs = median(curl.map(({ onDiskMs }) => onDiskMs));
  const ms = median(own.map(({ onDiskMs }) => onDiskMs));
  report({
    bench: "downloads",
    figure: "own download",
    yardstick: "curl and sync",
    megabytes,
    ms,
    curlMs: median(curl.map(({ thereMs }) => thereMs)),
    curlAndSyncMs,
    processorMs: median(own.map((one) => one.processorMs)),
    curlProcessorMs: median(curl.map((one) => one.processorMs)),
    ratio: ms / curlAndSyncMs,
    // What the imports of earlier files took does not belong to the download.
    moreMegabytes: (own[0]!.mostBytes - before) / megabyte,
    goal: "1.2 times curl, under 100 MB more",
    atMost: { ratio: 1.2, moreMegabytes: 100 },
  });
}

interface Fetched {
  readonly thereMs: number;
  readonly onDiskMs: number;
  readonly processorMs: number;
  readonly mostBytes: number;
}

/** Until curl has the file, and until it is on the disk, where the server's own downloads have to be. */
async function fetchByCurl(url: string): Promise<Fetched> {
  const run = promisify(execFile);
  const path = join(home, "by-curl");
  await rm(path, { force: true });
  const { children: usedBefore } = await processorMs(process.pid);
  const begun = performance.now();
  await run("curl", ["-sf", "-o", path, url]);
  const thereMs = performance.now() - begun;
  await run("sync", [path]);
  const onDiskMs = performance.now() - begun;
  const { children: used } = await processorMs(process.pid);
  return { thereMs, onDiskMs, processorMs: used - usedBefore, mostBytes: 0 };
}

/** From the moment when the server begins to download until it has the whole file on the disk. */
async function fetchByServer(server: Server, number: string): Promise<Fetched> {
  const pid = server.process.pid!;
  await post(server, "/api/download", { issueIds: [server.ready.issueIds[number]] });
  await untilPast(server, ["queued", "searching"]);
  let mostBytes = 0;
  const watching = setInterval(() => void residentBytes(pid).then((now) => (mostBytes = Math.max(mostBytes, now))), 50);
  const { own: usedBefore } = await processorMs(pid);
  const begun = performance.now();
  await untilPast(server, ["downloading"]);
  const onDiskMs = performance.now() - begun;
  const { own: used } = await processorMs(pid);
  clearInterval(watching);
  await untilPast(server, ["importing"]);
  return { thereMs: onDiskMs, onDiskMs, processorMs: used - usedBefore, mostBytes };
}

async function benchFinished(start: () => Promise<Server>): Promise<void> {
  await using server = await start();
  await post(server, "/api/download", { issueIds: [server.ready.issueIds["2"]] });
  await untilPast(server, ["queued", "searching"]);
  const preparing = join(clients, "preparing");
  await mkdir(preparing);
  const pages = new Map(Array.from({ length: 20 }, (_, page) => [`${page}.jpg`, filler(2 * megabyte)] as const));
  await writeArchive(join(preparing, "Cargo Night 002 (2019).cbz"), pages);
  await pause(4_000);
  const begun = performance.now();
  await rename(preparing, join(clients, "done"));
  for (;;) {
    const { statusCode, body } = await request(`${server.ready.url}/api/reader/issue/70002/page/0`, {
      dispatcher: agent,
      headers: { "x-api-key": server.ready.key },
    });
    await body.dump();
    if (statusCode === 200) break;
    await pause(10);
  }
  report({
    bench: "downloads",
    figure: "from done to readable",
    megabytes: 40,
    ms: performance.now() - begun,
    goal: "2 s",
    unbounded: "most of it is the time until the client is asked again, which is fixed",
  });
}

type StartTimed = () => Promise<Server & { startMs: number }>;

async function benchLists(start: StartTimed): Promise<void> {
  const before = await benchEmptyQueue(start);
  await seed();
  const starts: number[] = [];
  for (let round = 0; round < 3; round++) {
    await using server = await start();
    starts.push(server.startMs);
    if (round === 2)
      for (const [figure, path] of lists) reportList(figure, await timeLists(server, path), before.listMs);
  }
  report({
    bench: "downloads",
    figure: "start",
    yardstick: "with an empty queue",
    ms: median(starts),
    ratio: median(starts) / before.startMs,
    goal: "no slower",
    atMost: { ratio: 1.25 },
  });
}

/** Fills the queue with 500 issues in one call. */
async function benchEmptyQueue(start: StartTimed): Promise<{ readonly startMs: number; readonly listMs: number }> {
  await using server = await start();
  for (const path of ["/api/queue/pause", "/api/queue/clear", "/api/clear-failed"]) await post(server, path);
  const begun = performance.now();
  const { queued } = await post(server, "/api/wanted/download-all");
  const ms = performance.now() - begun;
  const idleMs = median(await timeLists(server, "/healthz"));
  report({
    bench: "downloads",
    figure: "download all",
    yardstick: "a request for /healthz for each of them",
    queued,
    ms,
    ratio: ms / (queued * idleMs),
    goal: "500 in 1 s",
    atMost: { ratio: 15 },
  });
  return { startMs: server.startMs, listMs: median(await timeLists(server, "/api/queue?limit=200")) };
}

function reportList(figure: string, times: readonly number[], smallMs: number): void {
  report({
    bench: "downloads",
    figure,
    yardstick: "a queue of 500",
    p50Ms: median(times),
    p95Ms: percentile(times, 0.95),
    ratio: median(times) / smallMs,
    goal: "p95 under 50 ms; at most 6 times as long as a list of 500",
    atMost: { ratio: 6 },
  });
}

function timeLists({ ready }: Server, path: string): Promise<number[]> {
  return timeEach(100, () => get(agent, ready.url + path, { "x-api-key": ready.key }), 10);
}

/** A full queue of wanted issues, none of which begins, and what was imported in years. */
async function seed(): Promise<void> {
  const folder = join(data, "plugins/data/downloads");
  const name = (await readdir(folder, { recursive: true })).find((path) => path.endsWith("database.sqlite"))!;
  using database = new DatabaseSync(join(folder, name));
  const numbers = "with recursive n (id) as (select 1 union all select id + 1 from n where id < :rows)";
  database
    .prepare(
      `${numbers} insert into item (kind, issue_id, series_id, series_title, number, cv_issue_id, restricted, user_id, state,
      open, replaces, priority, position, held, attempts, delays, next_at, queued_at, changed_at)
      select 'issue', 1000000 + id, id % 300, 'Series ' || id % 300, id, 2000000 + id, 0, 1, 'queued',
      1, 0, 0, 1000 + id, 1, 0, 0, 0, 1700000000000 + id, 1700000000000 + id from n`,
    )
    .run({ rows: 9_500 });
  database
    .prepare(
      `${numbers} insert into history (event_key, outcome, at, issue_id, series_id, series_title, number, cv_issue_id,
      restricted, release, source, path) select 'seed ' || id, 'imported', 1700000000000 + id, id, id % 300,
      'Series ' || id % 300, id, 2000000 + id, 0, 'Series ' || id, 'Files', '/library/' || id from n`,
    )
    .run({ rows: 100_000 });
}

/** Bytes that begin as a JPEG does and cannot be compressed. */
function filler(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at += 65_536) crypto.getRandomValues(bytes.subarray(at, Math.min(length, at + 65_536)));
  bytes.set([0xff, 0xd8, 0xff, 0xe0]);
  return bytes;
}
