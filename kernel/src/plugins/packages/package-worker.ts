import { parentPort, workerData } from "node:worker_threads";
import { isLongboxError } from "@longbox/sdk/light";
import { packageRefusals, type PackageRefusalCode } from "./refusals.js";
import type { PackageTask, PackageTaskAnswer } from "./throw-away-worker.js";
import { unpackTarball } from "./unpacking.js";

const ofTheDisk = new Set(["ENOSPC", "EDQUOT", "EROFS", "EACCES", "EPERM"]);
const task = workerData as PackageTask;
const port = parentPort!;
parentPort!.postMessage(await perform());
port.close();

async function perform(): Promise<PackageTaskAnswer> {
  try {
    return { ok: true, ...(await unpackTarball(task.tarball, task.folder, task.limits)) };
  } catch (failure) {
    return refusal(failure);
  }
}

function refusal(failure: unknown): PackageTaskAnswer {
  const message = failure instanceof Error ? failure.message : String(failure);
  const { code } = failure as NodeJS.ErrnoException;
  if (code !== undefined && ofTheDisk.has(code)) return { ok: false, systemCode: code, message };
  if (isLongboxError(failure) && failure.code in packageRefusals)
    return { ok: false, code: failure.code as PackageRefusalCode, message };
  return { ok: false, code: "kernel/tarball-broken", message };
}
