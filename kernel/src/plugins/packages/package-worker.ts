import { parentPort, workerData } from "node:worker_threads";
import { isLongboxError } from "@longbox/sdk";
import { packageRefusals, type PackageRefusalCode } from "./refusals.js";
import type { PackageTask, PackageTaskAnswer } from "./throw-away-worker.js";

const task = workerData as PackageTask;
const port = parentPort!;
parentPort!.postMessage(await perform());
port.close();

async function perform(): Promise<PackageTaskAnswer> {
  try {
    if (task.kind === "unpack") {
      const { unpackTarball } = await import("./unpacking.js");
      return { ok: true, ...(await unpackTarball(task.tarball, task.folder, task.limits)) };
    }
    const { loadDefinition } = await import("../running/plugin-module.js");
    // The caller that waits for this thread has a time limit of its own.
    await loadDefinition(task.plugin, { limitMs: 60_000 });
    return { ok: true, files: 0, bytes: 0 };
  } catch (failure) {
    return refusal(failure);
  }
}

function refusal(failure: unknown): PackageTaskAnswer {
  const message = failure instanceof Error ? failure.message : String(failure);
  if (isLongboxError(failure) && failure.code in packageRefusals)
    return { ok: false, code: failure.code as PackageRefusalCode, message };
  return { ok: false, code: task.kind === "unpack" ? "kernel/tarball-broken" : "kernel/trial-import-failed", message };
}
