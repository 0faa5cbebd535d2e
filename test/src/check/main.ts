// `npm run check`: every rule of the repository that a program can hold, in under a minute.
import { join } from "node:path";
import { rules } from "./rules.js";

const root = join(import.meta.dirname, "..", "..", "..");
const wanted = process.argv.slice(2);
const chosen = rules.filter(({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word)));
const unknown = wanted.filter((word) => !rules.some(({ name }) => name.includes(word)));

let broken = unknown.length;
for (const word of unknown)
  process.stdout.write(
    `FAIL no rule's name contains "${word}". The rules: ${rules.map(({ name }) => name).join(", ")}\n`,
  );
for (const check of chosen) {
  const startedAt = performance.now();
  const problems = await check.find(root);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  process.stdout.write(`${problems.length === 0 ? "ok  " : "FAIL"} ${check.name} (${seconds} s)\n`);
  for (const problem of problems) process.stdout.write(`${problem.replaceAll(/^/gm, "     ")}\n`);
  if (problems.length > 0) broken += 1;
}
process.stdout.write(`${chosen.length + unknown.length - broken} rules hold, ${broken} broken\n`);
process.exitCode = broken === 0 ? 0 : 1;
