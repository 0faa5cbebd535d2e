import { execFile } from "node:child_process";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { Place } from "./import-effects.js";

const checkLimitMs = 10_000;

/** Where a module cannot be parsed: V8 only tells it to a program that checks the file, which runs nothing of it. */
export function syntaxPlace(folder: string, module: string): Promise<Place | undefined> {
  const file = path.join(folder, module);
  return new Promise((resolve) => {
    execFile(process.execPath, ["--check", file], { env: {}, timeout: checkLimitMs }, (_, __, told) => {
      const line = told.startsWith(`${pathToFileURL(file).href}:`) || told.startsWith(`${file}:`);
      resolve(line ? { file: module, line: Number(/:(\d+)\n/.exec(told)?.[1]) } : undefined);
    });
  });
}
