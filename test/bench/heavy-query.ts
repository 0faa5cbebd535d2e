// How long /healthz takes while a query of two seconds runs, against how long it takes when nothing does.
import { Agent, request } from "undici";
import { startChild } from "./support/child.ts";
import { askSteadily, percentile, report, timeEach } from "./support/measure.ts";

const wantedMs = 2_000;

await using server = await startChild<{ url: string; key: string }>(
  `${import.meta.dirname}/support/counting-server.ts`,
);
const { url, key } = server.ready;
await using dispatcher = Object.assign(new Agent({ connections: 200, pipelining: 1, headersTimeout: 120_000 }), {
  [Symbol.asyncDispose]: async () => dispatcher.close(),
});

async function get(path: string): Promise<void> {
  const { statusCode, body } = await request(`${url}${path}`, { dispatcher, headers: { "x-api-key": key } });
  await body.dump();
  if (statusCode !== 200) throw new Error(`${path} answered ${statusCode}`);
}

async function timeOf(path: string): Promise<number> {
  const begun = performance.now();
  await get(path);
  return performance.now() - begun;
}

await get("/api/count/1");
const oneMillionMs = await timeOf("/api/count/1");
const quiet = await timeEach(500, () => get("/healthz"), 200);

const probing = askSteadily(10, () => get("/healthz"));
const queryMs = await timeOf(`/api/count/${Math.max(1, Math.ceil(wantedMs / oneMillionMs))}`);
const busy = await probing.end();
report({
  bench: "heavy-query",
  queryMs,
  healthChecks: busy.length,
  p50Ms: percentile(busy, 0.5),
  p99Ms: percentile(busy, 0.99),
  slowestMs: percentile(busy, 1),
  stallShare: percentile(busy, 1) / queryMs,
  quietP99Ms: percentile(quiet, 0.99),
  ratio: percentile(busy, 0.99) / percentile(quiet, 0.99),
  // Half of the query is far more than a thread that is scheduled late, and far less than one that waits for it.
  atMost: { stallShare: 0.5 },
  goal: "p99 under 50 ms",
});
