import { watch, type FSWatcher } from "node:fs";
import { setImmediate as breathe } from "node:timers/promises";
import type { Logger, Releasable } from "@longbox/sdk";

export interface WatchingParts {
  /** Has these folders scanned. */
  readonly scan: (folders: readonly string[]) => Promise<void>;
  readonly log: Logger;
}

/** Milliseconds: how long a folder must be quiet before it is scanned, and how long it may keep others waiting. */
const quietMs = 1500;
const longestMs = 20_000;
/** So many watches are opened at once, which takes 2 ms. */
const watchedAtOnce = 16;

/**
 * Sees changes in the folders of libraries as they happen. Only folders are watched, which the scans list anyway, so
 * that a hundred thousand files cost a few thousand watches and no look at any file; what the system does not report is
 * found by the next full scan.
 */
export class Watching implements Releasable {
  readonly #watchers = new Map<string, FSWatcher>();
  /** Folders that are to be watched; opening thousands of watches takes a while. */
  readonly #awaited = new Set<string>();
  #isOpening = false;
  readonly #changed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #firstAt = 0;
  #on = false;
  #full = false;
  #released = false;

  constructor(private readonly parts: WatchingParts) {}

  /**
   * Enables or disables watching. After it is enabled, the next scan of each library decides which folders are watched.
   */
  switch(on: boolean): void {
    this.#on = on && !this.#released;
    if (!this.#on) this.#closeAll();
  }

  /** A scan of these places found these folders: they, and no others there, are watched from now on. */
  follow(scope: readonly string[], folders: readonly string[]): void {
    if (!this.#on) return;
    const found = new Set(folders);
    const isIn = (folder: string) => scope.some((place) => folder === place || folder.startsWith(`${place}/`));
    this.#leave((folder) => !found.has(folder) && isIn(folder));
    for (const folder of found) if (!this.#watchers.has(folder)) this.#awaited.add(folder);
    void this.#openAwaited();
  }

  /** Stops watching folders outside of these roots. */
  keepOnly(roots: readonly string[]): void {
    this.#leave((folder) => !roots.some((root) => folder === root || folder.startsWith(`${root}/`)));
  }

  release(): void {
    this.#released = true;
    this.switch(false);
  }

  #leave(isLeft: (folder: string) => boolean): void {
    for (const folder of this.#awaited) if (isLeft(folder)) this.#awaited.delete(folder);
    for (const [folder, watcher] of this.#watchers) {
      if (!isLeft(folder)) continue;
      watcher.close();
      this.#watchers.delete(folder);
    }
  }

  async #openAwaited(): Promise<void> {
    if (this.#isOpening) return;
    this.#isOpening = true;
    let opened = 0;
    // What is added to a set or taken from it while it is gone through is seen.
    for (const folder of this.#awaited) {
      this.#awaited.delete(folder);
      if (!this.#full) this.#watch(folder);
      opened += 1;
      if (opened % watchedAtOnce === 0) await breathe();
    }
    this.#isOpening = false;
  }

  #watch(folder: string): void {
    try {
      const watcher = watch(folder, { persistent: false }, () => this.#note(folder));
      watcher.on("error", () => {
        watcher.close();
        this.#watchers.delete(folder);
      });
      this.#watchers.set(folder, watcher);
    } catch (thrown) {
      const { code } = thrown as NodeJS.ErrnoException;
      if (code === "ENOENT") return;
      // The system allows so many watches and no more.
      this.#full = true;
      this.parts.log.warn("Not all folders can be watched; changes in the others are found by the next full scan", {
        folder,
        watched: this.#watchers.size,
        error: thrown,
      });
    }
  }

  #closeAll(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#changed.clear();
    this.#awaited.clear();
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
    this.#full = false;
  }

  #note(folder: string): void {
    const now = performance.now();
    if (this.#changed.size === 0) this.#firstAt = now;
    this.#changed.add(folder);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#tell(), now - this.#firstAt > longestMs ? 0 : quietMs).unref();
  }

  #tell(): void {
    const folders = [...this.#changed];
    this.#changed.clear();
    this.parts.scan(folders).catch((thrown: unknown) => {
      if (!this.#released) this.parts.log.warn("A changed folder could not be scanned", { error: thrown });
    });
  }
}
