// Runs every benchmark of this folder, or those named: `npm run bench -- dispatch pages`.
// Each prints one line of JSON per figure; nothing here passes or fails.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";

const wanted = process.argv.slice(2);
const files = (await readdir(import.meta.dirname)).filter((name) => name.endsWith(".ts") && name !== "run.ts").sort();
const chosen = files.filter((name) => wanted.length === 0 || wanted.includes(name.replace(/\.ts$/, "")));
const unknown = wanted.filter((name) => !files.includes(`${name}.ts`));
if (unknown.length > 0) {
  process.stderr.write(`There is no benchmark ${unknown.join(", ")}; there are ${files.map((name) => name.replace(/\.ts$/, "")).join(", ")}.\n`);
  process.exit(1);
}
for (const name of chosen) {
  process.stderr.write(`${name} …\n`);
  const child = spawn(process.execPath, [`${import.meta.dirname}/${name}`], { stdio: "inherit" });
  const [code] = await once(child, "exit");
  if (code !== 0) process.exitCode = 1;
}
