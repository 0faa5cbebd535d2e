import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { extensionOf } from "../formats/format-names.js";
import type { Formats } from "../formats/formats.js";

export interface FolderContents {
  /** Files whose names promise a format that can be read. */
  readonly files: number;
  /** The folders that were looked into, the first one included. */
  readonly folders: number;
  /** How many of the files each type of library would read; a file may count for several. */
  readonly ofTypes: Readonly<Record<string, number>>;
  /** False when time ran out: there may be more. */
  readonly complete: boolean;
}

export interface CountingBounds {
  /** How long a count takes at most, in milliseconds. */
  readonly longestMs: number;
  readonly signal: AbortSignal;
}

/**
 * Counts the files in a folder and below by their names alone, so that a user sees at once whether it is the right one.
 * Folders of images that are one work each are not counted, because that takes more than names.
 */
export async function countContents(
  folder: string,
  formats: Pick<Formats, "all" | "promise">,
  { longestMs, signal }: CountingBounds,
): Promise<FolderContents> {
  const until = performance.now() + longestMs;
  const tally = new Tally(formats);
  const waiting = [folder];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    signal.throwIfAborted();
    if (performance.now() > until) return tally.result({ complete: false });
    for (const inside of await tally.add(next)) waiting.push(inside);
  }
  return tally.result({ complete: true });
}

class Tally {
  #files = 0;
  #folders = 0;
  readonly #byExtension = new Map<string, number>();

  constructor(private readonly formats: Pick<Formats, "all" | "promise">) {}

  /** Counts one folder. @returns the folders inside */
  async add(folder: string): Promise<string[]> {
    // A folder that cannot be listed holds nothing that a scan could read either.
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
    this.#folders += 1;
    const inside: string[] = [];
    for (const entry of entries) {
      if (entry.name.startsWith(".")) continue;
      if (entry.isDirectory()) inside.push(join(folder, entry.name));
      else if (this.formats.promise(entry.name)) this.#count(entry.name);
    }
    return inside;
  }

  #count(name: string): void {
    const extension = extensionOf(name);
    this.#files += 1;
    this.#byExtension.set(extension, (this.#byExtension.get(extension) ?? 0) + 1);
  }

  result({ complete }: { readonly complete: boolean }): FolderContents {
    const ofTypes: Record<string, number> = {};
    for (const [extension, files] of this.#byExtension) {
      const read = this.formats.all().filter(({ extensions }) => extensions.includes(extension));
      for (const type of new Set(read.flatMap(({ libraryTypes }) => libraryTypes)))
        ofTypes[type] = (ofTypes[type] ?? 0) + files;
    }
    return { files: this.#files, folders: this.#folders, ofTypes, complete };
  }
}
