// Tells when the built files of a folder under development have changed.
import { watch, type FSWatcher } from "node:fs";
import path from "node:path";
import type { Releasable } from "@longbox/sdk";
import { TreeWatch } from "./tree-watch.js";

/** A build writes its files one after the other. */
const settleMs = 150;

export interface WatchedFolder {
  readonly folder: string;
  /** The names of the folders in it that are watched with everything below them. */
  folders(): Promise<readonly string[]>;
  /** Called when something has changed, and then not for a moment. */
  changed(): void;
  /** Called when the system refuses to watch, such as for want of handles. */
  failed(failure: Error): void;
}

/** Watches a folder itself, and some of the folders in it with everything below them, also when they are made again. */
export class FolderWatch implements Releasable {
  readonly #watched: WatchedFolder;
  readonly #below = new Map<string, TreeWatch>();
  readonly #top: FSWatcher;
  #timer: NodeJS.Timeout | undefined;
  #released = false;

  private constructor(watched: WatchedFolder) {
    this.#watched = watched;
    this.#top = watch(watched.folder, (_, name) => {
      if (name !== null) this.#close(name);
      this.#somethingChanged();
    }).on("error", watched.failed);
  }

  /** Opens it. @throws {Error} when there is no such folder */
  static async open(watched: WatchedFolder): Promise<FolderWatch> {
    const opened = new FolderWatch(watched);
    await opened.#watchBelow();
    return opened;
  }

  release(): void {
    this.#released = true;
    clearTimeout(this.#timer);
    this.#top.close();
    for (const name of [...this.#below.keys()]) this.#close(name);
  }

  #somethingChanged(): void {
    clearTimeout(this.#timer);
    if (!this.#released) this.#timer = setTimeout(() => void this.#settle(), settleMs);
  }

  /** Folders that were made again are watched before anyone reads what is in them. */
  async #settle(): Promise<void> {
    await this.#watchBelow();
    if (!this.#released) this.#watched.changed();
  }

  async #watchBelow(): Promise<void> {
    const names = await this.#watched.folders();
    for (const name of this.#below.keys()) if (!names.includes(name)) this.#close(name);
    if (this.#released) return;
    for (const name of names) if (!this.#below.has(name)) this.#open(name);
  }

  #open(name: string): void {
    try {
      const folder = path.join(this.#watched.folder, name);
      const changed = () => this.#somethingChanged();
      this.#below.set(name, new TreeWatch({ folder, changed, failed: this.#watched.failed }));
    } catch (failure) {
      if ((failure as NodeJS.ErrnoException).code !== "ENOENT") this.#watched.failed(failure as Error);
    }
  }

  #close(name: string): void {
    this.#below.get(name)?.release();
    this.#below.delete(name);
  }
}
