import { isLongboxError } from "@longbox/sdk/light";
import { answerTasks } from "@longbox/sdk/worker";
import { packageRefusals, type PackageRefusalCode } from "./refusals.js";
import { unpackTarball } from "./unpacking.js";
import type { UnpackingInput, UnpackingOutput, UnpackingTasks } from "./unpacking-threads.js";

const ofTheDisk = new Set(["ENOSPC", "EDQUOT", "EROFS", "EACCES", "EPERM"]);

answerTasks<UnpackingTasks>({ unpack });

async function unpack({ tarball, folder, limits }: UnpackingInput): Promise<UnpackingOutput> {
  try {
    return { ok: true, ...(await unpackTarball(tarball, folder, limits)) };
  } catch (failure) {
    return refusal(failure);
  }
}

function refusal(failure: unknown): UnpackingOutput {
  const message = failure instanceof Error ? failure.message : String(failure);
  const { code } = failure as NodeJS.ErrnoException;
  if (code !== undefined && ofTheDisk.has(code)) return { ok: false, systemCode: code, message };
  if (isLongboxError(failure) && failure.code in packageRefusals)
    return { ok: false, code: failure.code as PackageRefusalCode, message };
  return { ok: false, code: "kernel/tarball-broken", message };
}
