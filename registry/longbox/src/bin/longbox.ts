#!/usr/bin/env node
// The program `longbox` of the npm package. Nothing is loaded before the version of Node is known to be new enough.
import { nodeProblem } from "@longbox/kernel/node-version";

const problem = nodeProblem("longbox");
if (problem === undefined) {
  const { runCommandLine } = await import("@longbox/kernel/command-line");
  await runCommandLine(import.meta.filename, async () => {
    const { bringPackages } = await import("../bringing.js");
    await bringPackages(process.env);
  });
} else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}
