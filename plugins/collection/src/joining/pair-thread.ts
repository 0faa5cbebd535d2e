import { TaskThread, type PluginContext, type Releasable } from "@longbox/sdk";
import { findPairs, type FoundPair, type PairRequest } from "./finding-pairs.js";

/** What the comparing thread does. */
export type PairTasks = { find: { input: PairRequest; output: FoundPair[] } };

/** Up to this many characters are compared directly, because starting a thread would take longer. */
const smallCharacters = 100_000;

/** Compares the titles of all series, those of large libraries in a thread of its own. */
export class PairFinder implements Releasable {
  readonly #thread: TaskThread<PairTasks>;

  constructor(context: Pick<PluginContext, "worker">) {
    this.#thread = new TaskThread({
      start: () => context.worker("pairs", undefined, { expendable: true, heapMegabytes: 512 }),
    });
  }

  async find(request: PairRequest, signal?: AbortSignal): Promise<readonly FoundPair[]> {
    const characters = request.pages.reduce((sum, page) => sum + page.length, 0);
    return characters <= smallCharacters ? findPairs(request) : await this.#thread.run("find", request, signal);
  }

  release(): Promise<void> {
    return this.#thread.release();
  }
}
