// The trial of a package: its code is loaded in a process that ends right afterwards.
import { isLongboxError, within, type Logger } from "@longbox/sdk";
import { mistakesSchema, type Mistake } from "../examining/mistakes.js";
import { syntaxPlace } from "../examining/syntax-place.js";
import { located, type TriedPlugin } from "../examining/trial.js";
import { packageRefusals, PackageRefused, type PackageRefusalCode } from "../packages/refusals.js";
import { wholeHostCode } from "./fence/code-folders.js";
import type { FenceKind } from "./fence/fence.js";
import { startAlone } from "./fence/isolated-process.js";
import { ProcessEnded } from "./fence/process-ended.js";

const heapMegabytes = 256;
const memoryBytes = 1_000_000_000;

export interface Trial {
  readonly fence: FenceKind;
  /** Whether it may load native code where nothing but Node's permission model is around it. */
  readonly isTrusted: boolean;
  readonly limitMs: number;
  readonly log: Logger;
}

/**
 * Loads a package in a process that has no folder but the package's own and the code of the host, and examines what it
 * defines.
 * @throws {PackageRefused} when it cannot be loaded
 */
export async function tryInProcess(plugin: TriedPlugin, trial: Trial): Promise<readonly Mistake[]> {
  const { id, folder } = plugin;
  const { fence, isTrusted, limitMs, log } = trial;
  const code = [...wholeHostCode(), { place: folder, real: folder }];
  const grants = { code, writable: [], heapMegabytes, allowsNative: isTrusted || fence === "bubblewrap" };
  const limits = { memoryBytes, blockedMs: limitMs };
  const channel = { doors: () => ({ fault: () => undefined }), failed: () => undefined };
  const started = startAlone({ plugin: id, folder, fence, grants, log, ...limits }, channel);
  const { id: _, entry, manifest } = plugin;
  try {
    const mistakes = await within(started.channel.call("try", [{ id, folder, entry, manifest }]), {
      limitMs,
      failure: () => refused(plugin, `it took longer than ${limitMs} ms`),
    });
    return mistakesSchema.parse(mistakes);
  } catch (failure) {
    throw await refusalOf(plugin, failure);
  } finally {
    await started.release();
  }
}

async function refusalOf(plugin: TriedPlugin, failure: unknown): Promise<PackageRefused> {
  if (failure instanceof PackageRefused) return failure;
  if (failure instanceof ProcessEnded) return refused(plugin, `it ended the process: ${failure.end.how}`);
  const isSyntax = failure instanceof Error && failure.name === "SyntaxError";
  const told = isSyntax ? located(plugin.folder, failure, await syntaxPlace(plugin.folder, plugin.entry)) : failure;
  const message = told instanceof Error ? told.message : String(told);
  if (isLongboxError(told) && told.code in packageRefusals)
    return new PackageRefused(told.code as PackageRefusalCode, message);
  return new PackageRefused("kernel/trial-import-failed", message);
}

function refused({ id }: TriedPlugin, problem: string): PackageRefused {
  return new PackageRefused("kernel/trial-import-failed", `The plugin "${id}" cannot be loaded: ${problem}.`);
}
