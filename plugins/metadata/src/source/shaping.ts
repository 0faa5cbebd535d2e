import type { PluginContext, Releasable } from "@longbox/sdk";
import { TaskThread } from "@longbox/sdk/light";
import { ProviderFailure } from "../upstream-errors.js";
import type { ShapingTasks } from "./shaping-tasks.js";

/** Up to this many characters are read at once, since a thread would take longer. */
const atOnceCharacters = 64 * 1024;

/** Loaded for the first answer: what cleans the markup of texts takes 2 MB, and a tenth of a second. */
const loadTasks = async () => (await import("./shaping-tasks.js")).shapingTasks;

/** Reads the results of answers, with the markup in their texts: what is long in a thread of its own. */
export class Shaping implements Releasable {
  readonly #thread: TaskThread<ShapingTasks>;

  constructor(context: Pick<PluginContext, "worker">) {
    this.#thread = new TaskThread({
      start: () => context.worker("shape", undefined, { expendable: true, heapMegabytes: 256 }),
    });
  }

  /** @throws {ProviderFailure} when the results do not match the protocol's schema, or take too long to read */
  async run<Task extends keyof ShapingTasks>(
    task: Task,
    input: ShapingTasks[Task]["input"],
    signal?: AbortSignal,
  ): Promise<ShapingTasks[Task]["output"]> {
    if (isShort(input)) return (await loadTasks())[task](input);
    try {
      return await this.#thread.run(task, input, signal);
    } catch (cause) {
      signal?.throwIfAborted();
      throw new ProviderFailure("The provider's answer cannot be read.", { cause });
    }
  }

  release(): Promise<void> {
    return this.#thread.release();
  }
}

/** Whether the texts are short together, each value counting as well; stops counting once they are not. */
function isShort(input: unknown): boolean {
  let left = atOnceCharacters;
  const waiting: unknown[] = [input];
  while (waiting.length > 0) {
    const value = waiting.pop();
    const inside = typeof value === "object" && value !== null ? Object.values(value) : [];
    left -= typeof value === "string" ? value.length : 1 + inside.length;
    if (left < 0) return false;
    waiting.push(...inside);
  }
  return true;
}
