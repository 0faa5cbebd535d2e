import { spawn } from "node:child_process";
import { once } from "node:events";
import { glob } from "node:fs/promises";
import { readPackageJson } from "../packing/package-json.js";

/** Runs the tests of a plugin with Node's own runner, which reads TypeScript. @returns the exit code */
export async function test(folder: string, more: readonly string[]): Promise<number> {
  await readPackageJson(folder);
  const files: string[] = [];
  for await (const file of glob("test/**/*.test.{ts,js,mjs}", { cwd: folder })) files.push(file);
  if (files.length === 0) throw new Error("There is no test: write test/<name>.test.ts.");
  const runner = spawn(process.execPath, ["--enable-source-maps", "--test", ...more, ...files.sort()], {
    cwd: folder,
    stdio: "inherit",
  });
  const [code] = (await once(runner, "exit")) as [number | null];
  return code ?? 1;
}
