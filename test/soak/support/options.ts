import { join } from "node:path";
import { parseArgs } from "node:util";

export interface SoakOptions {
  readonly minutes: number;
  /** 1 is a household; 2 asks twice as often. */
  readonly rate: number;
  readonly sampleMs: number;
  readonly seed: number;
  /** Where the report is written. */
  readonly folder: string;
}

const positive = (name: string, text: string): number => {
  const number = Number(text);
  if (!(number > 0)) throw new Error(`--${name} must be a positive number, not "${text}".`);
  return number;
};

/** Reads `--hours 2` or `--minutes 30`, `--rate 0.5`, `--seed 7` and `--folder DIRECTORY`. @throws for anything else */
export function readOptions(parameters: readonly string[], root: string): SoakOptions {
  const { values } = parseArgs({
    args: [...parameters],
    options: {
      hours: { type: "string" },
      minutes: { type: "string" },
      rate: { type: "string", default: "1" },
      seed: { type: "string", default: String(Date.now() % 100_000) },
      folder: { type: "string", default: join(root, "temp", "soak") },
    },
  });
  const minutes =
    values.minutes === undefined
      ? 60 * positive("hours", values.hours ?? "2")
      : positive("minutes", values.minutes) + 60 * Number(values.hours ?? 0);
  return {
    minutes,
    rate: positive("rate", values.rate),
    sampleMs: 5000,
    seed: Math.floor(positive("seed", values.seed)),
    folder: values.folder,
  };
}
