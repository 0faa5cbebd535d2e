// Compares benchmarks with those of a former commit: `npm run bench -- compare <commit> dispatch scan`.
//
// The commit is checked out, installed and built in the temporary folder. Then its benchmarks and today's run in turns, and the
// processor time of the servers that they start is compared, since that says the same on a machine that is busy. For
// Linux. Where a benchmark has been rewritten since, its own work is another, and the ratio says nothing.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";

const rounds = 5;
const here = resolve(import.meta.dirname, "../../..");
const childTime = `${import.meta.dirname}/child-time.ts`;

/** @param names - of benchmarks that both commits have */
export async function compare([commit, ...names]: readonly string[]): Promise<void> {
  if (commit === undefined || names.length === 0) throw new Error("Name a commit and benchmarks to compare.");
  const folder = await mkdtemp(join(tmpdir(), "longbox-bench-compare-"));
  const before = join(folder, "tree");
  try {
    await run("git", ["worktree", "add", "--detach", before, commit], here);
    await run("npm", ["ci", "--prefer-offline", "--no-audit", "--no-fund"], before);
    await run(process.execPath, ["registry/bootstrap.mjs", "build"], before);
    for (const name of names) await compareOne(name, before);
  } finally {
    if (existsSync(before)) await run("git", ["worktree", "remove", "--force", before], here);
    await rm(folder, { recursive: true, force: true });
  }
}

/** The least time of several rounds is the one in which the machine did the least else. */
async function compareOne(name: string, before: string): Promise<void> {
  const times = { now: [] as number[], before: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    times.before.push(await serverMilliseconds(before, name));
    times.now.push(await serverMilliseconds(here, name));
  }
  const [now, then] = [Math.min(...times.now), Math.min(...times.before)];
  const line = { bench: name, beforeMilliseconds: then, nowMilliseconds: now, ratio: Number((now / then).toFixed(3)) };
  process.stdout.write(`${JSON.stringify(line)}\n`);
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
