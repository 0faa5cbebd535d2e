import { lstatSync, readdirSync, watch, type FSWatcher } from "node:fs";
import path from "node:path";
import type { Releasable } from "@longbox/sdk";

export interface WatchedTree {
  readonly folder: string;
  /** Whether a path, relative to the folder, is left out with everything below it. */
  readonly ignores?: (name: string) => boolean;
  /** Called with the path of the file or folder that changed, relative to the watched folder. */
  changed(name: string): void;
  /** Called when the system refuses to watch, such as for want of handles. */
  failed(failure: Error): void;
}

/**
 * Watches a folder and those below it, each by itself. Node's own watch of a whole tree looks at each file on Linux,
 * and hears nothing more of one once another was renamed over it, as editors and git do.
 */
export class TreeWatch implements Releasable {
  readonly #tree: WatchedTree;
  readonly #watchers = new Map<string, FSWatcher>();

  /** @throws {Error} when there is no such folder */
  constructor(tree: WatchedTree) {
    this.#tree = tree;
    this.#watch("");
    this.#watchBelow("");
  }

  release(): void {
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #watch(name: string): void {
    const watcher = watch(path.join(this.#tree.folder, name), (_, changed) => {
      if (changed !== null) this.#heard(path.join(name, changed));
    });
    watcher.on("error", (failure: NodeJS.ErrnoException) => {
      this.#close(name);
      if (failure.code !== "ENOENT") this.#tree.failed(failure);
    });
    this.#watchers.set(name, watcher);
  }

  #heard(name: string): void {
    if (this.#tree.ignores?.(name) === true) return;
    if (this.#isFolder(name)) this.#follow(name);
    else this.#close(name);
    this.#tree.changed(name);
  }

  /** A folder that was made again is watched again; what is in it already is told with the folder. */
  #follow(name: string): void {
    this.#close(name);
    try {
      this.#watch(name);
      this.#watchBelow(name);
    } catch (failure) {
      // It may be gone again.
      if ((failure as NodeJS.ErrnoException).code !== "ENOENT") this.#tree.failed(failure as Error);
    }
  }

  #watchBelow(name: string): void {
    for (const entry of readdirSync(path.join(this.#tree.folder, name), { withFileTypes: true })) {
      const below = path.join(name, entry.name);
      if (entry.isDirectory() && this.#tree.ignores?.(below) !== true) this.#follow(below);
    }
  }

  #isFolder(name: string): boolean {
    return lstatSync(path.join(this.#tree.folder, name), { throwIfNoEntry: false })?.isDirectory() ?? false;
  }

  #close(name: string): void {
    for (const [watched, watcher] of this.#watchers) {
      if (watched !== name && !watched.startsWith(name + path.sep)) continue;
      watcher.close();
      this.#watchers.delete(watched);
    }
  }
}
