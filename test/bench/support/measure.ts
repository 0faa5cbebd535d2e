import { performance } from "node:perf_hooks";

/** Milliseconds that each of `count` calls took, one after the other, after `warmUp` calls that do not count. */
export async function timeEach(
  count: number,
  call: (index: number) => Promise<unknown>,
  warmUp = 0,
): Promise<number[]> {
  for (let index = 0; index < warmUp; index++) await call(index);
  const times: number[] = [];
  for (let index = 0; index < count; index++) {
    const begun = performance.now();
    await call(index);
    times.push(performance.now() - begun);
  }
  return times;
}

/** The value below which `share` (0 to 1) of the values lie. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** Alternates two measurements, so that a machine whose speed drifts disturbs both alike. */
export async function inTurns<T>(
  rounds: number,
  first: () => Promise<T>,
  second: () => Promise<T>,
): Promise<{ first: T[]; second: T[] }> {
  const results = { first: [] as T[], second: [] as T[] };
  for (let round = 0; round < rounds; round++) {
    results.first.push(await first());
    results.second.push(await second());
  }
  return results;
}

/** Requests, and how long they take beside one that only comes and goes. */
export interface BesideAnother {
  readonly times: readonly number[];
  readonly p50: number;
  /** The median of the other request. */
  readonly otherP50: number;
  readonly ratio: number;
}

/** Asks both in turns, in five rounds; the medians are those of the rounds' medians. */
export async function beside(
  other: () => Promise<unknown>,
  call: (index: number) => Promise<unknown>,
  count = 40,
): Promise<BesideAnother> {
  let asked = 0;
  const warmUp = Math.ceil(count / 10);
  const { first, second } = await inTurns(
    5,
    () => timeEach(count, () => call(asked++), warmUp),
    () => timeEach(count, other, warmUp),
  );
  const [p50, otherP50] = [median(first.map(median)), median(second.map(median))];
  return { times: first.flat(), p50, otherP50, ratio: p50 / otherP50 };
}

/**
 * Goals of a figure, by its fields: what it may be at most, or has to be at least. Only what is compared within one
 * run, and so says the same on a slow machine as on a fast one, belongs here.
 */
export interface Goals {
  readonly atMost?: Readonly<Record<string, number>>;
  readonly atLeast?: Readonly<Record<string, number>>;
  /** Why a figure is bounded by nothing; one that does not say it fails a strict run. */
  readonly unbounded?: string;
}

/**
 * Asks at a fixed rate, whether the answer before has come or not, so that a stall is counted for as long as it lasts.
 */
export function askSteadily(everyMs: number, call: () => Promise<unknown>): { end(): Promise<number[]> } {
  const asked: Promise<number>[] = [];
  const timer = setInterval(() => {
    const begun = performance.now();
    asked.push(call().then(() => performance.now() - begun));
  }, everyMs);
  return {
    end() {
      clearInterval(timer);
      return Promise.all(asked);
    },
  };
}

/** Prints one figure as a line of JSON; numbers are rounded to four significant digits. */
export function report(figure: { bench: string; goal?: string } & Goals & Record<string, unknown>): void {
  const rounded = Object.fromEntries(
    Object.entries(figure).map(([key, value]) => [
      key,
      typeof value === "number" ? Number(value.toPrecision(4)) : value,
    ]),
  );
  process.stdout.write(`${JSON.stringify(rounded)}\n`);
}

/** Resident memory of a process in bytes, as Linux accounts it. */
export async function residentBytes(processId: number): Promise<number> {
  const { readFile } = await import("node:fs/promises");
  const status = await readFile(`/proc/${processId}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) * 1024;
}

/**
 * Processor time of a process so far, and of the children that it has waited for, in milliseconds. It says the same on
 * a machine that does other things as well.
 */
export async function processorMs(processId: number): Promise<{ readonly own: number; readonly children: number }> {
  const { readFile } = await import("node:fs/promises");
  const stat = await readFile(`/proc/${processId}/stat`, "utf8");
  // In ticks of 10 ms, counted behind the name, which may contain spaces.
  const [user, system, childUser, childSystem] = stat.slice(stat.lastIndexOf(")")).split(" ").slice(12).map(Number);
  return { own: (user! + system!) * 10, children: (childUser! + childSystem!) * 10 };
}
