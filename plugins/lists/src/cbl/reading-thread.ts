import { TaskThread, type PluginContext, type Releasable } from "@longbox/sdk";
import type { ListFile } from "./list-file.js";
import { parseListFile } from "./parse.js";

/** What the parsing thread does. */
export type ListFileTasks = { parse: { input: Uint8Array; output: ListFile } };

/** Files up to this size are parsed directly, because starting a thread would take longer. */
const smallBytes = 16 * 1024;

/** Reads list files, large ones in a thread of their own. */
export class ListFileReader implements Releasable {
  readonly #thread: TaskThread<ListFileTasks>;

  constructor(context: Pick<PluginContext, "worker">) {
    this.#thread = new TaskThread({
      start: () => context.worker("parse", undefined, { expendable: true, heapMegabytes: 256 }),
    });
  }

  /** @throws {BadField} naming `body` */
  async read(bytes: Uint8Array, signal?: AbortSignal): Promise<ListFile> {
    return bytes.length <= smallBytes ? parseListFile(bytes) : this.#thread.run("parse", bytes, signal);
  }

  release(): Promise<void> {
    return this.#thread.release();
  }
}
