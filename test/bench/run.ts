// Runs every benchmark of this folder and its rooms, or those named: `npm run bench -- dispatch pages`.
// Each prints one line of JSON per figure. With `--strict` a figure that misses a goal fails the run. With `--report`
// the figures take the place of their former ones in the page with a plot in `test/bench/report`.
// `npm run bench -- compare <commit> dispatch pages` compares them with those of a former commit; without names, all.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { compare } from "./support/comparing/compare.ts";
import { missedGoals } from "./support/goals.ts";
import { Report } from "./support/reporting/report.ts";

const parameters = process.argv.slice(2);
if (parameters[0] === "compare") {
  await compare(parameters.slice(1));
  process.exit();
}
const isStrict = parameters.includes("--strict");
const wanted = parameters.filter((name) => name !== "--strict" && name !== "--report");
const named = (file: string) => path.basename(file, ".ts");
const files = (await readdir(import.meta.dirname, { recursive: true }))
  .filter((file) => file.endsWith(".ts") && file !== "run.ts" && !file.startsWith(`support${path.sep}`))
  .sort();
const report = parameters.includes("--report") ? new Report(files.map(named)) : undefined;
const chosen = files.filter((file) => wanted.length === 0 || wanted.includes(named(file)));
const unknown = wanted.filter((name) => !files.some((file) => named(file) === name));
if (unknown.length > 0) {
  process.stderr.write(`There is no benchmark ${unknown.join(", ")}; there are ${files.map(named).join(", ")}.\n`);
  process.exit(1);
}
const missed: string[] = [];
let held = 0;
for (const name of chosen) {
  process.stderr.write(`${named(name)} …\n`);
  const noteFigures = report?.begin(named(name));
  const lines: string[] = [];
  const child = spawn(process.execPath, [`${import.meta.dirname}/${name}`], { stdio: ["inherit", "pipe", "inherit"] });
  const ended = once(child, "close");
  for await (const line of createInterface({ input: child.stdout })) {
    process.stdout.write(`${line}\n`);
    lines.push(line);
    const goals = missedGoals(line);
    missed.push(...goals.missed);
    held += goals.held;
  }
  const [code] = await ended;
  if (code !== 0) process.exitCode = 1;
  await noteFigures?.(lines, code === 0);
}
for (const goal of missed) process.stderr.write(`missed: ${goal}\n`);
process.stderr.write(`${held} goals held, ${missed.length} missed\n`);
if (report) process.stderr.write(`${report.folder}/README.md\n`);
if (isStrict && (missed.length > 0 || held === 0)) process.exitCode = 1;
