import type { Dirent } from "node:fs";
import { basename, join } from "node:path";
import { extensionOf } from "../formats/format-names.js";
import type { LoadedFormats } from "../inspecting/loaded-formats.js";

/** A file that a scan ignored, and the reason, as a sentence without a period. */
export interface IgnoredPath {
  readonly path: string;
  readonly reason: string;
}

/** More are not listed: a library of other things would fill the database with their names. */
export const mostIgnored = 5_000;

/** Files that describe the series of a folder. */
const describesFolder = /^(?:series\.json|comicinfo\.xml)$/i;

/** Collects what a walk leaves aside. Hidden files and folders of file systems are not mentioned. */
export class IgnoredPaths {
  readonly #paths: IgnoredPath[] = [];

  add(path: string, reason: string): void {
    if (this.#paths.length < mostIgnored) this.#paths.push({ path, reason });
  }

  /** The files of a folder that no format reads, except those that belong to one that is read. */
  addUnread(
    folder: string,
    entries: readonly Dirent[],
    formats: Pick<LoadedFormats, "promise" | "companionsOf">,
  ): void {
    const read: string[] = [];
    const unread: string[] = [];
    for (const entry of entries) {
      if (!entry.isFile() || entry.name.startsWith(".")) continue;
      if (formats.promise(entry.name)) read.push(entry.name);
      else if (!describesFolder.test(entry.name)) unread.push(entry.name);
    }
    // Most folders hold nothing else, and then no companion has to be known.
    if (unread.length === 0) return;
    const companions = new Set(read.flatMap((name) => formats.companionsOf(name).map((path) => basename(path))));
    for (const name of unread) if (!companions.has(name)) this.add(join(folder, name), reasonOf(name));
  }

  all(): readonly IgnoredPath[] {
    return this.#paths;
  }
}

function reasonOf(name: string): string {
  const extension = extensionOf(name);
  return extension === "" ? "its name has no extension" : `no installed plugin reads ${extension} files here`;
}
