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

export interface Run {
  readonly began: Date;
  readonly minutes: number;
  readonly machine: Machine;
  /** Programs that wanted a processor when the run began. */
  readonly loadBefore: number;
  readonly processors: number;
  readonly versions: Readonly<Record<string, string>>;
  readonly benches: readonly string[];
  readonly isComplete: boolean;
  readonly figures: readonly Figure[];
}

export function boundedOf(figures: readonly Figure[]): Bounded[] {
  return figures.flatMap((figure) => {
    const read = (field: string) => (typeof figure[field] === "number" ? figure[field] : Number.NaN);
    return [
      ...Object.entries(figure.atMost ?? {}).map(([field, bound]) => {
        const value = read(field);
        return { figure, field, value, bound, share: value / bound };
      }),
      ...Object.entries(figure.atLeast ?? {}).map(([field, bound]) => {
        const value = read(field);
        return { figure, field, value, bound, share: bound / value };
      }),
    ];
  });
}

export const barsOf = (bounded: readonly Bounded[]): Bar[] =>
  bounded.map(({ figure, field, value, bound, share }) => ({
    title: `${nameOf(figure)}${field === "ratio" ? "" : ` (${wordsOf(field)})`}`,
    value: Number.isFinite(share) ? share : 0,
    label: `${short(value)} of ${short(bound)}`,
  }));

/** The page, in Markdown. */
export function pageOf(run: Run): string {
  const { machine, figures } = run;
  const bounded = boundedOf(figures);
  const missed = bounded.filter(({ share }) => !(share <= 1));
  const isLoaded = run.loadBefore > run.processors / 2;
  return [
    "# Measured figures",
    "",
    `Made by \`npm run bench -- --report\` on ${run.began.toISOString().slice(0, 16)}Z in ${run.minutes.toFixed(0)} minutes, of commit ${machine.commit}.`,
    run.isComplete ? "All benchmarks were run." : `Only these benchmarks were run: ${run.benches.join(", ")}.`,
    isLoaded
      ? `**The machine was loaded** by other programs (load ${run.loadBefore.toFixed(1)} on ${run.processors} processors at the beginning), so times are longer than they would be; ratios are affected less, as ours and the yardstick's are measured in turns.`
      : `The machine had little else to do (load ${run.loadBefore.toFixed(1)} on ${run.processors} processors at the beginning).`,
    "",
    `| Machine | ${machine.processor}, ${machine.memory}, ${machine.system} |`,
    "|---|---|",
    ...Object.entries(run.versions).map(([name, version]) => `| ${name} | ${version} |`),
    "| Seeds | libraries, pages and questions are made by code from fixed seeds, the same in every run |",
    "",
    `${bounded.length - missed.length} bounds held, ${missed.length} missed. A bar shows how much of its bound a figure takes: at the dashed line is the bound.`,
    "",
    "![How much of its bound each figure takes](figures.svg)",
    "",
    ...groupsOf(figures).flatMap(([bench, rows]) => [`## ${bench}`, "", ...rows.flatMap(detailsOf), ""]),
  ].join("\n");
}

function groupsOf(figures: readonly Figure[]): Array<[string, Figure[]]> {
  const groups = new Map<string, Figure[]>();
  for (const figure of figures) groups.set(figure.bench, [...(groups.get(figure.bench) ?? []), figure]);
  return [...groups];
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
