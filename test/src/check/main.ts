// `npm run check`: every rule of the repository that a program can hold, in under a minute.
import { join } from "node:path";
import { apiReportCheck } from "./api-report.js";
import { arrowsCheck } from "./arrows.js";
import type { Check } from "./check.js";
import { documentsCheck } from "./documents.js";
import { lockFileCheck } from "./lock-file.js";
import { statusesCheck } from "./statuses.js";
import { toolCheck } from "./tool.js";
import { wordsCheck } from "./words.js";
import { packagesCheck } from "./packages.js";

const root = join(import.meta.dirname, "..", "..", "..");
const checks: readonly Check[] = [
  arrowsCheck,
  wordsCheck,
  statusesCheck,
  lockFileCheck,
  toolCheck("types of the tests", "tsc", ["-p", "tsconfig.tests.json"]),
  toolCheck("lint", "oxlint", ["--type-aware", "--deny-warnings", "sdk", "kernel", "registry", "plugins", "examples", "test"]),
  toolCheck("unused files, exports and dependencies", "knip", ["--no-progress", "--no-config-hints"]),
  packagesCheck,
  documentsCheck,
  apiReportCheck,
];
const wanted = process.argv.slice(2);
const chosen = checks.filter(({ name }) => wanted.length === 0 || wanted.some((word) => name.includes(word)));

let broken = 0;
for (const check of chosen) {
  const startedAt = performance.now();
  const problems = await check.find(root);
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  process.stdout.write(`${problems.length === 0 ? "ok  " : "FAIL"} ${check.name} (${seconds} s)\n`);
  for (const problem of problems) process.stdout.write(`${problem.replaceAll(/^/gm, "     ")}\n`);
  if (problems.length > 0) broken += 1;
}
process.stdout.write(`${chosen.length - broken} rules hold, ${broken} broken\n`);
process.exitCode = broken === 0 ? 0 : 1;
