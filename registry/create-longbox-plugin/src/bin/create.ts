#!/usr/bin/env node
// `npm create longbox-plugin`: makes a plugin, and says what to do next. Runs on older versions of Node, too.
import { basename, resolve } from "node:path";
import { createPlugin } from "../create-plugin.js";

const neededNode = 24;
const [name, ...more] = process.argv.slice(2);
/** npm tells it to the programs that it runs, unless it is npm's own. */
const registry = process.env["npm_config_registry"] || undefined;
const say = (lines: readonly string[]) => process.stderr.write(`${lines.join("\n")}\n`);

if (name === undefined || name.startsWith("-") || more.length > 0) {
  say(["Usage: npm create longbox-plugin my-plugin"]);
  process.exitCode = 2;
} else {
  try {
    const folder = resolve(basename(name));
    await createPlugin(folder, name, registry);
    say([`Made ${folder}.`, ...next(basename(name))]);
  } catch (failure) {
    say([(failure as Error).message]);
    process.exitCode = 1;
  }
}

/** The commands that come next; with a Node that is too old for them, in front of each what runs it on a newer one. */
function next(folder: string): string[] {
  const { node } = process.versions;
  const isOld = Number(node.split(".")[0]) < neededNode;
  const runner = isOld ? `npx -p node@${neededNode} ` : "";
  return [
    ...(isOld
      ? [`This is Node ${node}, and a plugin needs Node ${neededNode} or newer for its tests and its server.`]
      : []),
    "Next:",
    `  cd ${folder}`,
    ...["npm install", "npm test", "npm run dev"].map((command) => `  ${runner}${command}`),
  ];
}
