#!/usr/bin/env node
import { lacks } from "../node-version.js";

const problem = lacks(process.versions.node);
if (problem === undefined) {
  const { run } = await import("../run.js");
  process.exitCode = await run(process.argv.slice(2));
} else {
  process.stderr.write(`${problem}\n`);
  process.exitCode = 1;
}
