// Compares benchmarks with those of a former commit: `npm run bench -- compare <commit> dispatch scan`, or without
// names all that both commits have. `--rounds 2` runs each so many times.
//
// The commit is checked out, installed and built in the temporary folder; instead of a commit, the folder of a tree
// that is built already can be named. Then today's benchmarks run in turns against its servers and against those of
// today. Where today's cannot ask the former servers, the former benchmark runs there instead, and the work is marked
// as other work.
//
// Two things are compared: the figures that the benchmarks print, which is what users feel, and the processor time of
// the servers, until they are ready and afterwards, which depends less on what else the machine does. Of several rounds
// the best counts. The trees run one after the other, and the machine may be slower in one of the runs: the figures are
// therefore also compared relative to their yardsticks. For Linux.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { programRatios, type Pair, type ProgramRatios } from "./bench-ratios.ts";
import type { BenchTime } from "./child-time.ts";
import { differences, variants, type Variant } from "./differences.ts";
import { figureRatios, type FigureLine, type FigureRatio } from "./figure-ratios.ts";

const here = resolve(import.meta.dirname, "../../../..");
const childTime = `${import.meta.dirname}/child-time.ts`;
/** Where today's benchmarks are put into the former tree, with the servers that it has for them. */
const overlay = "test/bench-of-now";

/** What became of one benchmark: the times of each program that both trees start. */
interface Comparison {
  readonly bench: string;
  readonly programs: Readonly<Record<string, ProgramRatios>>;
  readonly figures: readonly FigureRatio[];
  /** How many requests each benchmark sent. */
  readonly requests?: Pair;
  /** Today's benchmark cannot ask the former servers; the former one does other work, whose ratio says little. */
  readonly isRewritten?: boolean;
  /** What is measured now that was not there before. */
  readonly difference?: string;
  /** Why there is no result. */
  readonly failed?: string;
}

/** What is to be run: a benchmark, by itself or in a variant, so many times in each tree. */
interface Task {
  readonly bench: string;
  readonly variant?: Variant;
  readonly before: string;
  readonly rounds: number;
}

/** @param parameters - a commit or the folder of a built tree, and names of benchmarks that both have */
export async function compare(parameters: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...parameters],
    options: { rounds: { type: "string", default: "5" } },
    allowPositionals: true,
  });
  const [commit, ...names] = positionals;
  if (commit === undefined) throw new Error("Name a commit, or the folder of a built tree, to compare with.");
  if (existsSync(join(commit, "test/bench"))) return compareAll(names, resolve(commit), Number(values.rounds));
  const folder = await mkdtemp(join(tmpdir(), "longbox-bench-compare-"));
  const before = join(folder, "tree");
  try {
    await run("git", ["worktree", "add", "--detach", before, commit], here);
    await run("npm", ["ci", "--prefer-offline", "--no-audit", "--no-fund"], before);
    await run(process.execPath, ["registry/bootstrap.mjs", "build"], before);
    await compareAll(names, before, Number(values.rounds));
  } finally {
    if (existsSync(before)) await run("git", ["worktree", "remove", "--force", before], here);
    await rm(folder, { recursive: true, force: true });
  }
}

/** Prints a line for each benchmark, and a table of all at the end. One that fails does not stop the others. */
async function compareAll(names: readonly string[], before: string, rounds: number): Promise<void> {
  const lines: Comparison[] = [];
  await layOver(before);
  try {
    for (const bench of names.length > 0 ? names : await namesInBoth(before)) {
      const variant = variants[bench];
      for (const task of [{ bench, before, rounds }, ...(variant ? [{ bench, variant, before, rounds }] : [])]) {
        const line = await compareOne(task).catch((thrown: Error): Comparison => ({
          bench,
          programs: {},
          figures: [],
          failed: thrown.message,
        }));
        lines.push(line);
        process.stdout.write(`${JSON.stringify(line)}\n`);
      }
    }
  } finally {
    await rm(join(before, overlay), { recursive: true, force: true });
  }
  process.stdout.write(`${table(lines)}\n`);
}

/** Puts today's benchmarks beside the former ones: with the former servers and what seeds their data. */
async function layOver(before: string): Promise<void> {
  const target = join(before, overlay);
  await rm(target, { recursive: true, force: true });
  await cp(join(here, "test/bench"), target, { recursive: true });
  const former = join(before, "test/bench/support");
  for (const file of await readdir(former)) {
    if (file === "measure.ts") continue;
    const folder = file.startsWith("seed-") ? "support/seeding" : "support";
    await cp(join(former, file), join(target, folder, file), { recursive: true });
  }
}

async function namesInBoth(before: string): Promise<string[]> {
  const [now, then] = await Promise.all([here, before].map((tree) => readdir(join(tree, "test/bench"))));
  const both = now!.filter((file) => file.endsWith(".ts") && file !== "run.ts" && then!.includes(file));
  return both.map((file) => file.replace(/\.ts$/, "")).sort();
}

async function compareOne({ bench, variant, before, rounds }: Task): Promise<Comparison> {
  const then: Run[] = [];
  const now: Run[] = [];
  const former = await formerDriver(before, bench, variant);
  for (let round = 0; round < rounds; round++) {
    then.push(await runBench(before, former, variant));
    now.push(await runBench(here, `test/bench/${bench}.ts`, variant));
  }
  const [times, timesNow] = [then, now].map((runs) => runs.map(({ time }) => time)) as [BenchTime[], BenchTime[]];
  return {
    bench: variant?.name ?? bench,
    programs: programRatios(times, timesNow),
    figures: figureRatios(
      then.flatMap(({ figures }) => figures),
      now.flatMap(({ figures }) => figures),
    ),
    requests: { before: times[0]!.requests, now: timesNow[0]!.requests },
    isRewritten: former !== `${overlay}/${bench}.ts`,
    ...(variant === undefined && { difference: differences[bench] }),
  };
}

/** Today's benchmark where it can ask the former servers, or else the former one, whose work is another. */
async function formerDriver(before: string, bench: string, variant?: Variant): Promise<string> {
  const shared = `${overlay}/${bench}.ts`;
  return runBench(before, shared, variant).then(
    () => shared,
    (thrown: Error) => {
      process.stderr.write(`Of ${bench}, the former benchmark is run: ${thrown.message}\n`);
      return `test/bench/${bench}.ts`;
    },
  );
}

/** What one run of a benchmark printed, and the processor time of the programs that it started. */
interface Run {
  readonly time: BenchTime;
  readonly figures: readonly FigureLine[];
}

async function runBench(tree: string, file: string, variant?: Variant): Promise<Run> {
  const bench = spawn(process.execPath, [`--import=${childTime}`, join(tree, file)], {
    cwd: tree,
    env: { ...process.env, ...variant?.environment },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(bench, "close");
  let time: BenchTime | undefined;
  const figures: FigureLine[] = [];
  for await (const line of createInterface({ input: bench.stdout }))
    if (line.startsWith('{"programs":')) time = JSON.parse(line) as BenchTime;
    else if (line.startsWith("{")) figures.push(JSON.parse(line) as FigureLine);
  const [code] = await ended;
  if (code !== 0 || time === undefined) throw new Error(`${file} of ${tree} ended with ${code}.`);
  return { time, figures };
}

/** The ratios in Markdown. */
function table(lines: readonly Comparison[]): string {
  const rows = lines.flatMap(({ bench, programs, difference, failed, isRewritten }) =>
    Object.entries(failed === undefined ? programs : { [failed]: undefined }).map(([program, one]) => {
      const work = figure(one?.workRatio) + (isRewritten ? " (other work)" : "");
      return [bench, program, figure(one?.startRatio), work, difference ?? ""].join(" | ");
    }),
  );
  const figures = lines.flatMap((line) =>
    line.figures.map(({ figure: name, ratio, before, now, relativeToYardstick }) =>
      [name, ratio, figure(relativeToYardstick), before, now].join(" | "),
    ),
  );
  return [
    ...inTable("Benchmark | Program | Start | Work | Measured only now", rows),
    "",
    ...inTable("Figure | Above 1 is worse | Relative to its yardstick | Before | Now", figures),
  ].join("\n");
}

function inTable(head: string, rows: readonly string[]): string[] {
  return [head, head.replaceAll(/[^|]+/g, "---"), ...rows].map((row) => `| ${row} |`);
}

const figure = (ratio: number | undefined) => (ratio === undefined ? "" : String(ratio));

async function run(program: string, parameters: readonly string[], folder: string): Promise<void> {
  const child = spawn(program, parameters, { cwd: folder, stdio: ["ignore", 2, 2] });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${program} ${parameters.join(" ")} ended with ${code}.`);
}
