import { isLongboxError, TaskThread } from "@longbox/sdk";
import { inject, injectable } from "../../injection.js";
import { Stopping } from "../../kernel-tokens.js";
import { startParsingThread } from "../../parsing/parsing-thread.js";
import { PackageRefused, type PackageRefusalCode } from "./refusals.js";
import type { PackageLimits } from "./package-limits.js";

export interface UnpackingInput {
  readonly tarball: string;
  /** An empty folder. */
  readonly folder: string;
  readonly limits: PackageLimits;
}

export type UnpackingOutput =
  | { readonly ok: true; readonly files: number; readonly bytes: number }
  | { readonly ok: false; readonly code: PackageRefusalCode; readonly message: string }
  /** The disk, not the package, is the reason. */
  | { readonly ok: false; readonly systemCode: string; readonly message: string };

export type UnpackingTasks = { unpack: { input: UnpackingInput; output: UnpackingOutput } };

const limitMs = 120_000;
/** One installation is often followed by others. */
const idleMs = 5_000;
const threadOptions = {
  name: "packages",
  module: new URL("./unpacking-thread.js", import.meta.url),
  heapMegabytes: 256,
};

/**
 * Unpacks packages in threads, each with a package at a time: one that loops, fills memory or exits takes only its own
 * thread with it. What unpacked well leaves its thread to the next for a few seconds.
 */
@injectable()
export class UnpackingThreads {
  readonly #stopping: AbortSignal;
  #idle: TaskThread<UnpackingTasks> | undefined;

  constructor(@inject(Stopping) stopping: AbortSignal) {
    this.#stopping = stopping;
    stopping.addEventListener("abort", () => void this.#idle?.release(), { once: true });
  }

  /** @throws {PackageRefused} @throws the disk's error, with its `code` */
  async unpack(input: UnpackingInput): Promise<void> {
    const thread = this.#idle ?? new TaskThread({ start: () => startParsingThread(threadOptions), limitMs, idleMs });
    this.#idle = undefined;
    let isFit = false;
    try {
      const output = await thread.run("unpack", input).catch(refuse);
      isFit = output.ok;
      if (output.ok) return;
      if ("systemCode" in output) throw Object.assign(new Error(output.message), { code: output.systemCode });
      throw new PackageRefused(output.code, output.message);
    } finally {
      if (!isFit || this.#idle !== undefined || this.#stopping.aborted) await thread.release();
      else this.#idle = thread;
    }
  }
}

/** The thread did not come to an answer. */
function refuse(fault: unknown): never {
  const isTooLong = isLongboxError(fault) && fault.code === "kernel/task-too-long";
  const reason = fault instanceof Error && fault.cause instanceof Error ? fault.cause : fault;
  const problem = isTooLong ? `it took longer than ${limitMs} ms` : `it ended the thread (${messageOf(reason)})`;
  throw new PackageRefused("kernel/tarball-broken", `The package cannot be unpacked: ${problem}.`, { cause: fault });
}

const messageOf = (fault: unknown) => (fault instanceof Error ? fault.message : String(fault));
