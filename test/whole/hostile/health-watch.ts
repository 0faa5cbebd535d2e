import { readFileSync } from "node:fs";

/**
 * A program that asks a server for `/healthz` at a fixed rate until its standard input ends, and prints what it saw as
 * one line of JSON: an array of [milliseconds until the answer, milliseconds that the server's main thread computed
 * meanwhile]. A process of its own, so that a test which is busy with large answers does not count as a slow server.
 */
const [url, processId] = process.argv.slice(2) as [string, string];
const everyMs = 50;
const waitMs = 20_000;

/** Linux counts processor time in ticks of this many milliseconds. */
const tickMs = 10;

/** Milliseconds of processor time that the main thread of the server has had; not a number once it is gone. */
function computedMs(): number {
  try {
    const stat = readFileSync(`/proc/${processId}/task/${processId}/stat`, "utf8");
    // The name stands in parentheses and may hold spaces; behind it come the state and the counters of
    // proc_pid_stat(5).
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * tickMs;
  } catch {
    return Number.NaN;
  }
}

/** An answer that never came counts as the time it was waited for. */
async function ask(): Promise<readonly [number, number]> {
  const [begun, computedBefore] = [performance.now(), computedMs()];
  try {
    await (await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(waitMs) })).arrayBuffer();
  } catch {
    return [waitMs, waitMs];
  }
  const computed = computedMs() - computedBefore;
  return [performance.now() - begun, Number.isNaN(computed) ? waitMs : computed];
}

// Whether or not earlier questions were answered, so that a standstill counts as often as it was long.
const answers: Promise<readonly [number, number]>[] = [];
const timer = setInterval(() => answers.push(ask()), everyMs);
process.stdin.resume().once("end", async () => {
  clearInterval(timer);
  process.stdout.write(`${JSON.stringify(await Promise.all(answers))}\n`);
});
