#!/usr/bin/env node
// The program of plugin authors. Nothing is loaded before the version of Node is known to be new enough.
import { nodeProblem } from "@longbox/kernel/node-version";

const problem = nodeProblem(["longbox-plugin", ...process.argv.slice(2)].join(" "));
if (problem === undefined) {
  const { run } = await import("../run.js");
  process.exitCode = await run(process.argv.slice(2));
} else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}
