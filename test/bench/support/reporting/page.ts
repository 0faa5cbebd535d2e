import type { Machine } from "../../../plots/machine.ts";
import type { Bar } from "../../../plots/bar-plot.ts";

/** One line that a benchmark printed. */
export interface Figure extends Readonly<Record<string, unknown>> {
  readonly bench: string;
  readonly figure?: string;
  readonly goal?: string;
  readonly atMost?: Readonly<Record<string, number>>;
  readonly atLeast?: Readonly<Record<string, number>>;
  readonly unbounded?: string;
}

/** One field that is bounded, and how much of its bound it takes: 1 is the bound itself. */
interface Bounded {
  readonly figure: Figure;
  readonly field: string;
  readonly value: number;
  readonly bound: number;
  readonly share: number;
}

/** What one benchmark measured, when, and beside what. */
export interface BenchRun {
  readonly bench: string;
  /** ISO 8601, UTC. */
  readonly began: string;
  readonly minutes: number;
  readonly commit: string;
  /** Programs that wanted a processor when it began. */
  readonly loadBefore: number;
  /** It ended by itself, without an error. */
  readonly isWhole: boolean;
  readonly figures: readonly Figure[];
}

/** What all figures of a page have in common. */
export interface Surroundings {
  readonly machine: Omit<Machine, "commit" | "load">;
  readonly processors: number;
  readonly versions: Readonly<Record<string, string>>;
}

export interface Measured extends Surroundings {
  readonly runs: readonly BenchRun[];
  /** Benchmarks that there are and that have not been run here. */
  readonly missing: readonly string[];
}

export function boundedOf(figures: readonly Figure[]): Bounded[] {
  return figures.flatMap((figure) => {
    const read = (field: string) => (typeof figure[field] === "number" ? figure[field] : Number.NaN);
    return [
      ...Object.entries(figure.atMost ?? {}).map(([field, bound]) => {
        const value = read(field);
        return { figure, field, value, bound, share: shareOf(value, bound) };
      }),
      ...Object.entries(figure.atLeast ?? {}).map(([field, bound]) => {
        const value = read(field);
        return { figure, field, value, bound, share: shareOf(bound, value) };
      }),
    ];
  });
}

/** Nothing of nothing is no part of the bound. */
const shareOf = (part: number, whole: number) => (part === 0 && whole === 0 ? 0 : part / whole);

export const barsOf = (bounded: readonly Bounded[]): Bar[] =>
  bounded.map(({ figure, field, value, bound, share }) => ({
    title: `${nameOf(figure)}${field === "ratio" ? "" : ` (${wordsOf(field)})`}`,
    value: Number.isFinite(share) ? share : 0,
    label: `${short(value)} of ${short(bound)}`,
  }));

/** The page, in Markdown. */
export function pageOf(measured: Measured): string {
  const { machine, runs, missing, versions } = measured;
  const bounded = boundedOf(runs.flatMap(({ figures }) => figures));
  const missed = bounded.filter(({ share }) => !(share <= 1));
  return [
    "# Measured figures",
    "",
    "Made by `npm run bench -- --report`. Each benchmark says when it was run and how many other programs wanted a processor (the load) at its beginning: with more than half of one for each processor, times are longer than they would be; ratios are affected less, as ours and the yardstick's are measured in turns.",
    missing.length === 0 ? "All benchmarks were run." : `Not run on this machine: ${missing.join(", ")}.`,
    "",
    `| Machine | ${machine.processor}, ${machine.memory}, ${machine.system} |`,
    "|---|---|",
    ...Object.entries(versions).map(([name, version]) => `| ${name} | ${version} |`),
    "| Seeds | libraries, pages and questions are made by code from fixed seeds, the same in every run |",
    "",
    `${bounded.length - missed.length} bounds held, ${missed.length} missed. A bar shows how much of its bound a figure takes: at the dashed line is the bound.`,
    "",
    "![How much of its bound each figure takes](figures.svg)",
    "",
    ...runs.flatMap((run) => [
      `## ${run.bench}`,
      "",
      circumstances(run, measured.processors),
      "",
      ...run.figures.flatMap(detailsOf),
      "",
    ]),
  ].join("\n");
}

function circumstances(run: BenchRun, processors: number): string {
  const when = `${run.began.slice(0, 16)}Z, ${run.minutes.toFixed(1)} minutes, commit ${run.commit}, load ${run.loadBefore.toFixed(1)}.`;
  return [
    when,
    ...(run.loadBefore > processors / 2 ? ["**The machine had other work.**"] : []),
    ...(run.isWhole ? [] : ["**It failed before its end.**"]),
  ].join(" ");
}

const notMeasured = new Set(["bench", "figure", "goal", "atMost", "atLeast", "unbounded"]);

/** What was measured, in the order of the benchmark, and what it may be. */
function detailsOf(figure: Figure): string[] {
  const values = Object.entries(figure)
    .filter(([field]) => !notMeasured.has(field))
    .map(([field, value]) => `${wordsOf(field)} ${typeof value === "number" ? short(value) : plain(value)}`);
  const bounds = [
    ...Object.entries(figure.atMost ?? {}).map(([field, bound]) => `${wordsOf(field)} at most ${short(bound)}`),
    ...Object.entries(figure.atLeast ?? {}).map(([field, bound]) => `${wordsOf(field)} at least ${short(bound)}`),
  ];
  const rule = bounds.length > 0 ? `bound: ${bounds.join(", ")}` : `no bound: ${figure.unbounded ?? "not said"}`;
  return [
    `- **${plain(figure.figure ?? figure.bench)}**: ${values.join(", ")} (${plain(rule)}${figure.goal ? `; goal: ${plain(figure.goal)}` : ""})`,
  ];
}

const nameOf = ({ bench, figure, yardstick }: Figure) =>
  [bench, figure, yardstick].filter((part) => part !== undefined && part !== "").join(", ");
/** `p50Milliseconds` as `p50 milliseconds`. */
const wordsOf = (field: string) => field.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
const short = (value: number) => String(Number(value.toPrecision(3)));
const plain = (value: unknown) =>
  (typeof value === "string" ? value : JSON.stringify(value)).replaceAll(/[<>|*_`[\]]/g, String.raw`\$&`);
