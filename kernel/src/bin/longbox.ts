#!/usr/bin/env node
// The program `longbox`. Nothing is loaded before the version of Node is known to be new enough.
import { nodeProblem } from "../node-version.js";

const problem = nodeProblem("longbox");
if (problem === undefined) {
  const { usePackedModules } = await import("../memory/packed-modules.js");
  usePackedModules();
  const { runCommandLine } = await import("../command-line.js");
  await runCommandLine(import.meta.filename);
} else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}
