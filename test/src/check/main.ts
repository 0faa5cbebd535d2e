// `npm run check`: every rule of the repository that a program can hold.
import { join } from "node:path";
import type { Check } from "./check.js";
import { rules } from "./rules.js";

const root = join(import.meta.dirname, "..", "..", "..");
/** Many rules are a program of their own, so that two of them use two processors. */
const sideBySide = 2;
const wanted = process.argv.slice(2);
const chosen = rules.filter(({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word)));
const unknown = wanted.filter((word) => !rules.some(({ name }) => name.includes(word)));

let broken = unknown.length;
for (const word of unknown)
  process.stdout.write(
    `FAIL no rule's name contains "${word}". The rules: ${rules.map(({ name }) => name).join(", ")}\n`,
  );
const left = [...chosen];
await Promise.all(Array.from({ length: sideBySide }, holdThoseLeft));
process.stdout.write(`${chosen.length + unknown.length - broken} rules hold, ${broken} broken\n`);
process.exitCode = broken === 0 ? 0 : 1;

async function holdThoseLeft(): Promise<void> {
  for (let check = left.shift(); check !== undefined; check = left.shift()) await hold(check);
}

async function hold(check: Check): Promise<void> {
  const startedAt = performance.now();
  const problems = await check.find(root);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  process.stdout.write(`${problems.length === 0 ? "ok  " : "FAIL"} ${check.name} (${seconds} s)\n`);
  for (const problem of problems) process.stdout.write(`${problem.replaceAll(/^/gm, "     ")}\n`);
  if (problems.length > 0) broken += 1;
}
