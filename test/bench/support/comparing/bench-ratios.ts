import type { BenchTime, ProgramTime } from "./child-time.ts";

/** Processor time that is less than this is not compared, in milliseconds: it is counted in steps of ten. */
const leastMilliseconds = 100;

/** Processor time of now for that of before; undefined where there is too little to compare. */
export interface ProgramRatios {
  readonly startRatio: number | undefined;
  readonly workRatio: number | undefined;
  readonly startMilliseconds: Pair;
  readonly workMilliseconds: Pair;
}

/** What the two trees took, in milliseconds. */
export interface Pair {
  readonly before: number;
  readonly now: number;
}

/** The benchmarks of two trees in their rounds. @returns the ratios of each program that both start */
export function programRatios(before: readonly BenchTime[], now: readonly BenchTime[]): Record<string, ProgramRatios> {
  const names = Object.keys(now[0]!.programs).filter((name) => name in before[0]!.programs);
  return Object.fromEntries(names.map((name) => [name, ratiosOf(name, before, now)]));
}

function ratiosOf(name: string, before: readonly BenchTime[], now: readonly BenchTime[]): ProgramRatios {
  const least = (rounds: readonly BenchTime[], time: (program: ProgramTime) => number) =>
    Math.min(...rounds.map(({ programs }) => (programs[name] ? time(programs[name]) : Infinity)));
  const pair = (time: (program: ProgramTime) => number): Pair => ({
    before: Math.round(least(before, time)),
    now: Math.round(least(now, time)),
  });
  // A program that is ended before its first line has no start to compare.
  const start = pair((program) => program.startMilliseconds / Math.max(1, program.starts));
  const work = pair((program) => program.workMilliseconds);
  return {
    startRatio: ratio(start),
    workRatio: ratio(work),
    startMilliseconds: start,
    workMilliseconds: work,
  };
}

function ratio({ before, now }: Pair): number | undefined {
  if (before < leastMilliseconds || now < leastMilliseconds) return undefined;
  return Number((now / before).toFixed(3));
}
