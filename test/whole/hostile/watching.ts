import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import type { WholeServer } from "../support/server.ts";

/** What was seen of a server while something was done to it. */
export interface Seen {
  /** Milliseconds that `/healthz` took, sorted; an answer that never came counts as the time it was waited for. */
  readonly healthMs: readonly number[];
  /**
   * Milliseconds that the server's main thread computed before it answered `/healthz`, sorted. Unlike the time that
   * passed, it does not grow when other programs have the processors.
   */
  readonly computedMs: readonly number[];
  readonly peakMegabytes: number;
}

const everyMs = 50;

/** Asks for `/healthz` at a fixed rate, and looks at the memory, while the work is done. */
export async function watching(server: WholeServer, work: () => Promise<void>): Promise<Seen> {
  await using watch = startWatch(server);
  let peakMegabytes = 0;
  const timer = setInterval(() => {
    peakMegabytes = Math.max(peakMegabytes, server.holds().megabytes);
  }, everyMs);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  const answers = await watch.end();
  return {
    healthMs: answers.map(([ms]) => ms).sort((one, other) => one - other),
    computedMs: answers.map(([, ms]) => ms).sort((one, other) => one - other),
    peakMegabytes,
  };
}

function startWatch({ url, pid }: WholeServer): AsyncDisposable & { end(): Promise<readonly [number, number][]> } {
  const watch = spawn(process.execPath, [join(import.meta.dirname, "health-watch.ts"), url, String(pid())], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(watch, "exit");
  const printed = text(watch.stdout);
  return {
    async end() {
      watch.stdin.end();
      return JSON.parse(await printed) as [number, number][];
    },
    async [Symbol.asyncDispose]() {
      watch.kill("SIGKILL");
      await ended;
    },
  };
}

/** The value that this share of the sorted values does not exceed. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
