// What it costs that a plugin runs in a process of its own, against the same plugin in the server's process.
import { Agent, request } from "undici";
import { startChild } from "../support/child.ts";
import { inTurns, median, percentile, processorMs, report, timeEach } from "../support/measure.ts";

interface Started {
  readonly url: string;
  readonly key: string;
  readonly startMs: readonly number[];
  /** Of all processes together. */
  readonly startProcessorMs: readonly number[];
  /** Of each isolated process: its proportional set size. */
  readonly memoryBytes: readonly number[];
  readonly processes: { readonly pid: number; readonly isolated: readonly number[] };
}

const server = `${import.meta.dirname}/../support/isolated-server.ts`;
const many = 20;
const megabyte = 1_000_000;

await using dispatcher = Object.assign(new Agent({ connections: 1, pipelining: 1 }), {
  [Symbol.asyncDispose]: async () => dispatcher.close(),
});

async function ask({ url, key }: Started, path: string): Promise<unknown> {
  const { statusCode, body } = await request(url + path, { dispatcher, headers: { "x-api-key": key } });
  const answer = await body.json();
  if (statusCode !== 200) throw new Error(`${url}${path} answered ${statusCode}`);
  return answer;
}

async function measureRoute(): Promise<void> {
  await using isolated = await startChild<Started>(server, ["1", "process", "0"]);
  await using inline = await startChild<Started>(server, ["1", "none", "0"]);
  const spent = { isolated: 0, inline: 0 };
  const rounds = 5;
  const [asked, warmUp] = [1_000, 200];
  const round = (of: Started, whose: keyof typeof spent) => async () => {
    const before = await processorOf(of);
    const times = await timeEach(asked, () => ask(of, "/api/p0"), warmUp);
    spent[whose] += (await processorOf(of)) - before;
    return times;
  };
  const perRequest = (whose: keyof typeof spent) => spent[whose] / rounds / (asked + warmUp);
  const { first, second } = await inTurns(rounds, round(isolated.ready, "isolated"), round(inline.ready, "inline"));
  const [ours, others] = [median(first.map(median)), median(second.map(median))];
  report({
    bench: "isolated",
    figure: "a route of an isolated plugin",
    p50Milliseconds: ours,
    p99Milliseconds: percentile(first.flat(), 0.99),
    inServersProcessMilliseconds: others,
    addedMilliseconds: ours - others,
    // Of all processes of the server; what a request waits for a processor is not in it.
    processorMillisecondsEach: perRequest("isolated"),
    addedProcessorMilliseconds: perRequest("isolated") - perRequest("inline"),
    ratio: ours / others,
    // Waiting for a processor says nothing about the code.
    atMost: { addedProcessorMilliseconds: 0.3 },
    goal: "at most 0.3 ms more at the median",
    ofGoal: (ours - others) / 0.3,
  });
}

async function processorOf({ processes }: Started): Promise<number> {
  const all = await Promise.all([processes.pid, ...processes.isolated].map(processorMs));
  return all.reduce((sum, { own }) => sum + own, 0);
}

/** Starts the same installed plugins in both places, and looks at the memory of the isolated ones. */
async function measureStart(): Promise<void> {
  const startOf = async (isolation: string) => {
    await using started = await startChild<Started>(server, [String(many), isolation, "3"]);
    return started.ready;
  };
  const isolated = await startOf("process");
  const inline = await startOf("none");
  const startMs = median(isolated.startMs);
  report({
    bench: "isolated",
    figure: `start of a server with ${many} isolated plugins that are installed`,
    p50Milliseconds: startMs,
    inServersProcessMilliseconds: median(inline.startMs),
    ratio: startMs / median(inline.startMs),
    processorMilliseconds: median(isolated.startProcessorMs),
    inServersProcessProcessorMilliseconds: median(inline.startProcessorMs),
    // Proportional: what processes share, which is Node's program above all, counts in parts.
    megabytesEach: median(isolated.memoryBytes) / megabyte,
    megabytesOfLargest: percentile(isolated.memoryBytes, 1) / megabyte,
    atMost: { megabytesEach: 45 },
    goal: "20 in at most 3000 ms; at most 45 MB each",
    ofGoal: Math.max(startMs / 3000, median(isolated.memoryBytes) / (45 * megabyte)),
  });
  const grouped = await startOf("group");
  const [bytes, apart] = [sum(grouped.memoryBytes), sum(isolated.memoryBytes)];
  report({
    bench: "isolated",
    figure: `start of a server with ${many} isolated plugins of one group`,
    p50Milliseconds: median(grouped.startMs),
    eachAloneMilliseconds: startMs,
    processorMilliseconds: median(grouped.startProcessorMs),
    processes: grouped.memoryBytes.length,
    megabytes: bytes / megabyte,
    eachAloneMegabytes: apart / megabyte,
    ratio: bytes / apart,
    atMost: { processes: 1, ratio: 0.25 },
  });
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);

await measureRoute();
await measureStart();
