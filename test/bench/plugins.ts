// From asking for a plugin to its route answering, switching it off and on, and the start of a server with a hundred
// plugins. The yardstick of an install is fetching the same bytes from the same registry; of a start, Node itself.
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { createInterface } from "node:readline";
import type { TestHost } from "@longbox/sdk/testing";
import { answering, Bench, temporaryFolder, writePlugin } from "../../kernel/test/plugins/support.ts";
import { inTurns, median, percentile, report, timeEach } from "./support/measure.ts";

const program = join(import.meta.dirname, "../../kernel/dist/bin/longbox.js");

await measureInstalling();
await measureSwitching();
await measureHundred();

async function measureInstalling(): Promise<void> {
  await using bench = await Bench.open();
  const count = 12;
  for (let n = 0; n < count; n += 1)
    await bench.publish({
      id: `sized-${n}`,
      activate: answering(`/api/sized-${n}`, n),
      files: { "ballast.txt": randomBytes(37_500).toString("base64") },
    });
  await using host = await bench.host();
  const ask = plainClient(host);
  const times = await timeEach(count, async (n) => {
    await ask("/api/plugins/install", { name: `@longbox-test/sized-${n}`, accept: true });
    await ask(`/api/sized-${n}`);
  });
  const alone = await timeEach(count, async (n) => {
    const packument = (await (await fetch(`${bench.registry.url}/@longbox-test%2fsized-${n}`)).json()) as {
      versions: Record<string, { dist: { tarball: string } }>;
    };
    await (await fetch(packument.versions["1.0.0"]!.dist.tarball)).arrayBuffer();
  });
  const node = await timeEach(5, bareNode);
  report({
    bench: "plugins",
    figure: "install of 50 kB to a route that answers",
    p50Milliseconds: median(times),
    p95Milliseconds: percentile(times, 0.95),
    slowestMilliseconds: percentile(times, 1),
    fetchMilliseconds: median(alone),
    nodeMilliseconds: median(node),
    // A package is fetched, and loaded by a process of its own to see that it can be.
    ratio: median(times) / (median(alone) + median(node)),
    atMost: { ratio: 20 },
    goal: "p50 under 1000 ms",
    ofGoal: median(times) / 1000,
  });
}

async function measureSwitching(): Promise<void> {
  await using bench = await Bench.open();
  await bench.publish({
    id: "switched",
    fields: `migrations: [statements("0001", ["CREATE TABLE note (text TEXT)"])]`,
    activate: `context.storage.database(); ${answering("/api/switched", 1)}`,
  });
  await using host = await bench.host();
  const ask = plainClient(host);
  await ask("/api/plugins/install", { name: "@longbox-test/switched", accept: true });
  for (const [figure, enabled] of [
    ["disable", false],
    ["enable", true],
  ] as const) {
    const times: number[] = [];
    const health: number[] = [];
    for (let round = 0; round < 60; round += 1) {
      await turn(ask, !enabled);
      const [milliseconds] = await timeEach(1, () => turn(ask, enabled));
      const [idle] = await timeEach(1, () => ask("/healthz"));
      if (round < 10) continue;
      times.push(milliseconds!);
      health.push(idle!);
    }
    report({
      bench: "plugins",
      figure,
      p50Milliseconds: median(times),
      p95Milliseconds: percentile(times, 0.95),
      slowestMilliseconds: percentile(times, 1),
      ratio: median(times) / median(health),
      yardstick: "GET /healthz",
      atMost: { ratio: 60 },
      goal: "p50 under 30 ms",
      ofGoal: median(times) / 30,
    });
  }
}

/** Node, starting to do nothing. */
async function bareNode(): Promise<void> {
  await once(spawn(process.execPath, ["--eval", "0"], { stdio: "ignore" }), "exit");
}

/** @throws when the plugin is not switched */
async function turn(ask: Asking, isOn: boolean): Promise<void> {
  const { state } = await ask("/api/plugins/switched/enabled", { enabled: isOn });
  if (state !== (isOn ? "active" : "disabled")) throw new Error(`It was switched, and is ${state}.`);
}

type Asking = (path: string, body?: unknown) => Promise<Record<string, unknown>>;

/**
 * Asks as an admin, and does nothing more: the client of the test host compares each answer with its schema.
 * @throws {Error} when the answer is not a success
 */
function plainClient(host: TestHost): Asking {
  const headers = { "x-api-key": host.as("admin").key!, "content-type": "application/json" };
  return async (path, body) => {
    const sent = body === undefined ? { headers } : { method: "POST", headers, body: JSON.stringify(body) };
    const answer = await fetch(host.url + path, sent);
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`);
    return JSON.parse(text) as Record<string, unknown>;
  };
}

async function measureHundred(): Promise<void> {
  await using folder = await temporaryFolder();
  const folders: string[] = [];
  for (let n = 0; n < 100; n += 1) {
    folders.push(join(folder.path, `p${n}`));
    await writePlugin(folders[n]!, {
      id: `p${n}`,
      fields: `migrations: [statements("0001", ["CREATE TABLE note (text TEXT)"])]`,
      activate: `await context.storage.database().selectFrom("note").selectAll().execute(); ${answering(`/api/p${n}`, n)}`,
    });
  }
  const data = join(folder.path, "data");
  const start = () =>
    firstLine(
      program,
      folders.flatMap((one) => ["--plugin", one]),
      { LONGBOX_DATA: data, LONGBOX_PORT: "0" },
    );
  await start();
  const { first: times, second: bare } = await inTurns(3, start, async () => {
    const [milliseconds] = await timeEach(1, bareNode);
    return milliseconds!;
  });
  report({
    bench: "plugins",
    figure: "start of a server to 100 active plugins, each with a database",
    p50Milliseconds: median(times),
    slowestMilliseconds: percentile(times, 1),
    nodeMilliseconds: median(bare),
    ratio: median(times) / median(bare),
    atMost: { ratio: 100 },
    goal: "under 3000 ms",
    ofGoal: median(times) / 3000,
  });
}

/**
 * Milliseconds from the start of a program to its first line.
 * @throws when a plugin of the hundred does not answer then
 */
async function firstLine(
  file: string,
  parameters: readonly string[],
  environment: Record<string, string>,
): Promise<number> {
  const begun = performance.now();
  const child = spawn(process.execPath, [file, ...parameters], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = once(child, "exit");
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  const milliseconds = performance.now() - begun;
  const { listening } = JSON.parse(line) as { listening: string };
  for (let n = 0; n < 100; n += 1) {
    const { status } = await fetch(`${listening}/api/p${n}`);
    if (status !== 200) throw new Error(`The plugin p${n} answered ${status}.`);
  }
  child.kill("SIGTERM");
  await ended;
  return milliseconds;
}
