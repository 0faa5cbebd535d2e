import { dirname } from "node:path";
import { makeFolders } from "./making-folders.js";
import { syncFolder } from "./syncing.js";

/** Folders whose lists of names have changed, each synced once for many files. */
export class TouchedFolders {
  readonly #folders = new Set<string>();

  add(folder: string): void {
    this.#folders.add(folder);
  }

  /** Makes a folder with its parents, and notes each parent whose list of names changes. */
  async make(folder: string): Promise<void> {
    const first = await makeFolders(folder);
    if (first === undefined) return;
    for (let here = folder; here !== dirname(first) && here !== dirname(here); here = dirname(here))
      this.add(dirname(here));
  }

  /** Syncs the folders. Folders that were removed meanwhile are skipped. */
  async sync(): Promise<void> {
    const folders = [...this.#folders];
    this.#folders.clear();
    for (const folder of folders)
      await syncFolder(folder).catch((thrown: NodeJS.ErrnoException) => {
        if (thrown.code !== "ENOENT") throw thrown;
      });
  }
}
