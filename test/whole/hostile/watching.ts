/** What was seen of a server while something was done to it. */
export interface Seen {
  /** Milliseconds that `/healthz` took, sorted; an answer that never came counts as the time it was waited for. */
  readonly healthMs: readonly number[];
  readonly peakMegabytes: number;
}

const everyMs = 50;
const waitMs = 20_000;

/**
 * Asks for `/healthz` at a fixed rate, whether or not earlier questions were answered, so that a standstill counts as
 * often as it was long.
 */
export async function watching(
  server: { readonly url: string; readonly holds: () => { readonly megabytes: number } },
  work: () => Promise<void>,
): Promise<Seen> {
  const health: Promise<number>[] = [];
  let peakMegabytes = 0;
  const timer = setInterval(() => {
    health.push(askHealth(server.url));
    peakMegabytes = Math.max(peakMegabytes, server.holds().megabytes);
  }, everyMs);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  const healthMs = (await Promise.all(health)).sort((one, other) => one - other);
  return { healthMs, peakMegabytes };
}

async function askHealth(url: string): Promise<number> {
  const started = performance.now();
  try {
    await (await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(waitMs) })).arrayBuffer();
    return performance.now() - started;
  } catch {
    return waitMs;
  }
}

/** The value that this share of the sorted values does not exceed. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
