import { TaskThread } from "@longbox/sdk";
import { inject, injectable } from "../injection.js";
import { Stopping } from "../kernel-tokens.js";
import { readJson, UnreadableJson, type JsonBounds, type JsonProblem } from "./json-reading.js";
import { startParsingThread } from "./parsing-thread.js";
import type { Mask } from "./schema-mask.js";

export interface JsonInput {
  readonly bytes: Uint8Array;
  readonly bounds: JsonBounds;
  /** What is wanted of the document. */
  readonly mask: Mask;
}

export type JsonTasks = { read: { input: JsonInput; output: unknown } };

/** Up to this length a document is read at once, since a thread would take longer; nothing longer is, ever. */
export const readAtOnceBytes = 64 * 1024;
const limitMs = 10_000;
const threadOptions = { name: "json", module: new URL("./json-thread.js", import.meta.url), heapMegabytes: 512 };

/**
 * Reads JSON that came from outside: what is long in a thread, which starts when it is needed and ends when it is idle.
 */
@injectable()
export class OutsideJson {
  readonly #thread = new TaskThread<JsonTasks>({ start: () => startParsingThread(threadOptions), limitMs });

  constructor(@inject(Stopping) stopping: AbortSignal) {
    stopping.addEventListener("abort", () => void this.#thread.release(), { once: true });
  }

  /**
   * Reads a document. The bytes must not change meanwhile.
   * @throws {UnreadableJson} also for one that takes too long, or more memory than the thread may have
   */
  async read(input: JsonInput): Promise<unknown> {
    const { bytes, bounds, mask } = input;
    if (bytes.byteLength <= readAtOnceBytes) return readJson(bytes, bounds, mask);
    try {
      return await this.#thread.run("read", input);
    } catch (fault) {
      const { code, message, details } = fault as UnreadableJson;
      if (code === "kernel/json-unreadable")
        throw new UnreadableJson((details as { problem: JsonProblem }).problem, message);
      if (code === "kernel/task-too-long" || code === "kernel/task-failed")
        throw new UnreadableJson("too-many-values", "It takes too long, or too much memory, to be read.", fault);
      throw fault;
    }
  }
}
