import { percentile } from "../../bench/support/measure.ts";
import type { Person } from "../../whole/hostile/people.ts";
import { useOfTree, type SoakedServer } from "./server.ts";
import type { Tally } from "./tally.ts";

/** What was seen at one moment; rates are of the time since the moment before. */
export interface Sample {
  readonly minute: number;
  readonly treeMegabytes: number;
  readonly residentMegabytes: number;
  readonly heapMegabytes: number;
  readonly externalMegabytes: number;
  readonly processes: number;
  readonly descriptors: number;
  /** Timers, sockets and whatever else keeps Node's event loop going. */
  readonly resources: number;
  readonly loopDelayMs: number;
  readonly retiredModules: number;
  readonly eventClients: number;
  readonly answersPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly serverErrors: number;
}

const megabyte = 1024 * 1024;

/** Looks at the server until the signal aborts. */
export async function* samples(
  parts: { readonly server: SoakedServer; readonly admin: Person; readonly tally: Tally },
  pace: { readonly everyMs: number; readonly signal: AbortSignal },
): AsyncGenerator<Sample> {
  const { server, admin, tally } = parts;
  const begun = performance.now();
  let [before, errorsBefore] = [begun, 0];
  while (!pace.signal.aborted) {
    await pause(pace.everyMs, pace.signal);
    const metrics = await readMetrics(admin);
    if (metrics === undefined) continue;
    const [use, times, now] = [await useOfTree(server.processId), tally.takeTimes(), performance.now()];
    yield {
      minute: (now - begun) / 60_000,
      treeMegabytes: use.proportionalMegabytes,
      residentMegabytes: use.residentMegabytes,
      heapMegabytes: metrics("nodejs_heap_size_used_bytes") / megabyte,
      externalMegabytes: metrics("nodejs_external_memory_bytes") / megabyte,
      processes: use.processes,
      descriptors: use.descriptors,
      resources: metrics("nodejs_active_resources_total"),
      loopDelayMs: metrics("nodejs_eventloop_lag_p99_seconds") * 1000,
      retiredModules: metrics("longbox_plugin_modules_retired"),
      eventClients: metrics("longbox_event_clients"),
      answersPerSecond: times.length / ((now - before) / 1000),
      p50Ms: times.length === 0 ? 0 : percentile(times, 0.5),
      p99Ms: times.length === 0 ? 0 : percentile(times, 0.99),
      serverErrors: tally.serverErrors - errorsBefore,
    };
    [before, errorsBefore] = [now, tally.serverErrors];
  }
}

/** Undefined when the server does not answer, which the tally of the actors shows as well. */
async function readMetrics(admin: Person): Promise<((name: string) => number) | undefined> {
  const answer = await admin.get("/api/metrics").catch(() => undefined);
  if (!answer?.ok) return undefined;
  const text = await answer.text();
  return (name) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1] ?? Number.NaN);
}

/** Waits, or until the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener("abort", end);
  });
}
