import { Worker } from "node:worker_threads";
import { PackageRefused, type PackageRefusalCode } from "./refusals.js";
import type { PackageLimits } from "./package-limits.js";

export interface PackageTask {
  readonly tarball: string;
  readonly folder: string;
  readonly limits: PackageLimits;
}

export type PackageTaskAnswer =
  | { readonly ok: true; readonly files: number; readonly bytes: number }
  | { readonly ok: false; readonly code: PackageRefusalCode; readonly message: string }
  /** The disk, not the package, is the reason. */
  | { readonly ok: false; readonly systemCode: string; readonly message: string };

const entry = new URL("./package-worker.js", import.meta.url);

/**
 * Unpacks a package in a thread of its own, which gets none of the kernel's environment and little memory, and
 * ends afterwards: a package that loops, fills memory or exits takes nothing with it.
 */
export async function inThrowAwayWorker(
  task: PackageTask,
  limitMs: number,
): Promise<Extract<PackageTaskAnswer, { ok: true }>> {
  const worker = new Worker(entry, {
    workerData: task,
    env: {},
    argv: [],
    execArgv: [],
    stdin: false,
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: 256 },
  });
  worker.stdout.resume();
  worker.stderr.resume();
  const { promise, resolve, reject } = Promise.withResolvers<PackageTaskAnswer>();
  const timer = setTimeout(() => reject(failed(`it took longer than ${limitMs} ms`)), limitMs);
  worker.once("message", resolve);
  worker.once("error", (fault) => reject(failed(fault instanceof Error ? fault.message : String(fault))));
  worker.once("exit", () => reject(failed("it ended the thread")));
  try {
    const answer = await promise;
    if (!answer.ok && "systemCode" in answer)
      throw Object.assign(new Error(answer.message), { code: answer.systemCode });
    if (!answer.ok) throw new PackageRefused(answer.code, answer.message);
    return answer;
  } finally {
    clearTimeout(timer);
    await worker.terminate();
  }
}

function failed(problem: string): PackageRefused {
  return new PackageRefused("kernel/tarball-broken", `The package cannot be unpacked: ${problem}.`);
}
