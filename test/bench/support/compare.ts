// Compares benchmarks with those of a former commit: `npm run bench -- compare <commit> dispatch scan`, or without names
// all that both commits have. `--rounds 2` runs each so many times.
//
// The commit is checked out, installed and built in the temporary folder; instead of a commit, the folder of a tree that is
// built already can be named. Then its benchmarks and today's run in turns, and the processor time of the servers that they
// start is compared, since that says the same on a machine that is busy. For Linux. Where a benchmark has been rewritten
// since, its own work is another, and the ratio says nothing: such benchmarks are marked.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";

const here = resolve(import.meta.dirname, "../../..");
const childTime = `${import.meta.dirname}/child-time.ts`;

/** What became of one benchmark. */
interface Comparison extends Record<string, unknown> {
  readonly bench: string;
  /** The processor time of now for that of before; undefined for one that failed. */
  readonly ratio?: number;
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

/** Prints a line for each benchmark, and the ratios of all at the end. One that fails does not stop the others. */
async function compareAll(names: readonly string[], before: string, rounds: number): Promise<void> {
  const ratios: Record<string, number | undefined> = {};
  for (const name of names.length > 0 ? names : await namesInBoth(before)) {
    const line = await compareOne(name, before, rounds).catch((thrown: Error): Comparison => ({
      bench: name,
      failed: thrown.message,
    }));
    ratios[name] = line.ratio;
    process.stdout.write(`${JSON.stringify(line)}\n`);
  }
  process.stdout.write(`${JSON.stringify({ bench: "compare", figure: "processor time, now for before", ratios })}\n`);
}

async function namesInBoth(before: string): Promise<string[]> {
  const [now, then] = await Promise.all([here, before].map((tree) => readdir(join(tree, "test/bench"))));
  const both = now!.filter((file) => file.endsWith(".ts") && file !== "run.ts" && then!.includes(file));
  return both.map((file) => file.replace(/\.ts$/, "")).sort();
}

/** The least time of several rounds is the one in which the machine did the least else. */
async function compareOne(name: string, before: string, rounds: number): Promise<Comparison> {
  const times = { now: [] as number[], before: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    times.before.push(await serverMilliseconds(before, name));
    times.now.push(await serverMilliseconds(here, name));
  }
  const [now, then] = [Math.min(...times.now), Math.min(...times.before)];
  const [text, former] = await Promise.all([here, before].map((tree) => readFile(`${tree}/test/bench/${name}.ts`)));
  return {
    bench: name,
    beforeMilliseconds: then,
    nowMilliseconds: now,
    ratio: Number((now / then).toFixed(3)),
    isRewritten: !text!.equals(former!),
  };
}

/** Runs a benchmark. @returns the processor time of the processes that it has started and awaited */
async function serverMilliseconds(tree: string, name: string): Promise<number> {
  const bench = spawn(process.execPath, [`--import=${childTime}`, `${tree}/test/bench/${name}.ts`], {
    cwd: tree,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(bench, "close");
  let milliseconds: number | undefined;
  for await (const line of createInterface({ input: bench.stdout }))
    milliseconds = (JSON.parse(line) as { childMilliseconds?: number }).childMilliseconds ?? milliseconds;
  const [code] = await ended;
  if (code !== 0 || milliseconds === undefined) throw new Error(`The benchmark ${name} of ${tree} failed.`);
  return milliseconds;
}

async function run(program: string, parameters: readonly string[], folder: string): Promise<void> {
  const child = spawn(program, parameters, { cwd: folder, stdio: ["ignore", 2, 2] });
  const [code] = await once(child, "close");
  if (code !== 0) throw new Error(`${program} ${parameters.join(" ")} ended with ${code}.`);
}
