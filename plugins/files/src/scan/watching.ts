import { dirname } from "node:path";
import { watch, type FSWatcher } from "chokidar";
import { systemViewer, type Logger, type Releasable } from "@longbox/sdk";
import type { CollectionContract } from "@longbox/collection/contract";
import type { Scanner } from "./scanner.js";

export interface WatchingParts {
  readonly collection: Pick<CollectionContract, "listLibraries">;
  readonly scanner: Pick<Scanner, "scanAround">;
  readonly log: Logger;
}

/** Milliseconds: how long a folder must be quiet before it is scanned, and how long it may keep others waiting. */
const quietMs = 1500;
const longestMs = 20_000;
/** A folder whose changes cannot be told apart any more is scanned as a whole. */
const mostPlaces = 500;

/**
 * Sees changes in the folders of libraries as they happen. Only folders are watched, not each file, so that a hundred
 * thousand files cost a few thousand watches; what the system does not report is found by the next full scan.
 */
export class Watching implements Releasable {
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #changed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #firstAt = 0;
  #released = false;

  constructor(private readonly parts: WatchingParts) {}

  /** Watches the libraries as they are now. */
  async follow(): Promise<void> {
    const libraries = await this.parts.collection.listLibraries(systemViewer);
    const roots = new Set(libraries.map(({ rootFolder }) => rootFolder));
    for (const [root, watcher] of this.#watchers) {
      if (roots.has(root)) continue;
      this.#watchers.delete(root);
      await watcher.close();
    }
    if (this.#released) return;
    for (const root of roots) if (!this.#watchers.has(root)) this.#watchers.set(root, this.#watch(root));
  }

  async stop(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const watchers = [...this.#watchers.values()];
    this.#watchers.clear();
    await Promise.all(watchers.map((watcher) => watcher.close()));
  }

  async release(): Promise<void> {
    this.#released = true;
    await this.stop();
  }

  #watch(root: string): FSWatcher {
    const watcher = watch(root, { ignoreInitial: true, followSymlinks: false, persistent: false, ignored: (path, stats) => (stats !== undefined && !stats.isDirectory()) || /(^|[\\/])[.@]/.test(path.slice(root.length)) });
    watcher.on("raw", (_event, path, details) => this.#note(watchedFolder(details) ?? dirname(path ?? root)));
    watcher.on("unlinkDir", (path) => this.#note(dirname(path)));
    watcher.on("error", (thrown) => this.parts.log.warn("Some folders cannot be watched; changes there are found by the next scan", { root, error: thrown }));
    return watcher;
  }

  #note(folder: string): void {
    if (this.#changed.size < mostPlaces) this.#changed.add(folder);
    const now = performance.now();
    if (this.#changed.size === 1) this.#firstAt = now;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#tell(), now - this.#firstAt > longestMs ? 0 : quietMs).unref();
  }

  #tell(): void {
    const folders = [...this.#changed];
    this.#changed.clear();
    // The folder stands for whatever is in it.
    this.parts.scanner.scanAround(folders.map((folder) => `${folder}/x`)).catch((thrown: unknown) => {
      if (!this.#released) this.parts.log.warn("A changed folder could not be scanned", { error: thrown });
    });
  }
}

/** Where the system reported a change. */
function watchedFolder(details: unknown): string | undefined {
  const folder = (details as { watchedPath?: unknown } | undefined)?.watchedPath;
  return typeof folder === "string" ? folder : undefined;
}
