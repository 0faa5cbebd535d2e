import { median } from "../measure.ts";

/** A line that a benchmark prints for a figure. */
export type FigureLine = Readonly<Record<string, unknown>>;

/** What a user feels of a figure in two trees. Above 1, it is worse now. */
export interface FigureRatio {
  readonly figure: string;
  readonly ratio: number;
  readonly before: number;
  readonly now: number;
  /**
   * The same for the ratio of the figure to its yardstick, which each run measures at the same time: the machine may
   * have been slower in one of the runs. The median of the rounds counts. Undefined for a figure without a yardstick.
   */
  readonly relativeToYardstick?: number | undefined;
}

/** Rates, of which more is better. */
const isRate = (key: string) => /(?:PerSecond|aSecond)$/.test(key);
/** Medians and sums of time, and memory, of which less is better. The slowest of many says more about the machine. */
const isCost = (key: string) =>
  /^(?:p50|p50Ms|p50Milliseconds|milliseconds|queryMs|kernelMicroseconds|megabytes)$/.test(key);

/** The lines of two trees, in their rounds; of each figure the best counts. @returns those that both trees have */
export function figureRatios(before: readonly FigureLine[], now: readonly FigureLine[]): FigureRatio[] {
  const [then, today] = [bestOf(before), bestOf(now)];
  return [...today].flatMap(([figure, { value, key, toYardstick }]) => {
    const { value: former, toYardstick: formerly = [] } = then.get(figure) ?? {};
    if (former === undefined || former === 0 || value === 0) return [];
    const ratio = isRate(key) ? former / value : value / former;
    const relativeToYardstick =
      isRate(key) || toYardstick.length === 0 || formerly.length === 0
        ? undefined
        : rounded(median(toYardstick) / median(formerly));
    return [
      {
        figure,
        ratio: rounded(ratio),
        before: former,
        now: value,
        ...(relativeToYardstick && { relativeToYardstick }),
      },
    ];
  });
}

const rounded = (ratio: number) => Number(ratio.toFixed(3));

interface Best {
  readonly key: string;
  readonly value: number;
  /** Of each round, as the benchmark printed it. */
  readonly toYardstick: number[];
}

function bestOf(lines: readonly FigureLine[]): Map<string, Best> {
  const best = new Map<string, Best>();
  for (const line of lines) {
    const said = ["bench", "figure", "yardstick"].flatMap((key) => (typeof line[key] === "string" ? [line[key]] : []));
    for (const [key, value] of Object.entries(line)) {
      if (typeof value !== "number" || !(isRate(key) || isCost(key))) continue;
      const figure = [...said, key].join(", ");
      const { value: known = value, toYardstick = [] } = best.get(figure) ?? {};
      const ratio = line["p50Ratio"] ?? line["ratio"];
      if (typeof ratio === "number" && ratio > 0) toYardstick.push(ratio);
      best.set(figure, { key, value: isRate(key) ? Math.max(known, value) : Math.min(known, value), toYardstick });
    }
  }
  return best;
}
