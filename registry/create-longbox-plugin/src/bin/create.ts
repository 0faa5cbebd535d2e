#!/usr/bin/env node
import { basename, resolve } from "node:path";
import { createPlugin } from "../create-plugin.js";

const [name] = process.argv.slice(2);
if (name === undefined) {
  process.stderr.write("Usage: npm create longbox-plugin my-plugin\n");
  process.exitCode = 2;
} else {
  try {
    const folder = resolve(basename(name));
    await createPlugin(folder, name);
    process.stderr.write(`Made ${folder}.\nNext:\n  cd ${basename(name)}\n  npm install\n  npm test\n  npm run dev\n`);
  } catch (failure) {
    process.stderr.write(`${(failure as Error).message}\n`);
    process.exitCode = 1;
  }
}
