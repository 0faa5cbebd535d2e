import { readdirSync, type Dirent } from "node:fs";
import { basename } from "node:path";
import type { FolderListing, FolderReading, FormatInspector, InspectorModule } from "../contract.js";
import type { FormatDescription } from "../formats/formats.js";
import { companionPaths, extensionOf, isLeftover } from "../formats/format-names.js";

interface LoadedFormat extends FormatDescription {
  readonly inspect: FormatInspector;
}

/** A format whose inspector cannot be used, and why. */
export interface BrokenFormat {
  readonly id: string;
  readonly error: string;
}

/** The inspectors of formats, in the thread that scans. */
export class LoadedFormats {
  readonly #extensions: ReadonlySet<string>;
  readonly #companions: ReadonlyMap<string, readonly string[]>;
  readonly #folderFormats: readonly LoadedFormat[];

  constructor(
    private readonly formats: readonly LoadedFormat[],
    private readonly modules: readonly InspectorModule[],
  ) {
    this.#extensions = new Set(formats.flatMap(({ extensions }) => extensions));
    this.#folderFormats = formats.filter(({ inspect }) => inspect.matchesFolder !== undefined);
    this.#companions = new Map(
      [...this.#extensions].map((extension) => [
        extension,
        [...new Set(formats.flatMap((format) => (format.extensions.includes(extension) ? format.companions : [])))],
      ]),
    );
  }

  /** The ids, in a text that is the same for the same formats. */
  get key(): string {
    return this.formats
      .map(({ id }) => id)
      .sort()
      .join(" ");
  }

  has(id: string): boolean {
    return this.formats.some((format) => format.id === id);
  }

  /** Whether a name promises one of the formats, so that the file is looked into. */
  promise(name: string): boolean {
    return !isLeftover(name) && this.#extensions.has(extensionOf(name));
  }

  companionsOf(path: string): string[] {
    return companionPaths(path, this.#companions.get(extensionOf(path)) ?? []);
  }

  /** The format of a file, by its first bytes. */
  findFormat(file: { readonly name: string; readonly head: Buffer }): LoadedFormat | undefined {
    return this.formats.find(({ inspect }) => inspect.matches(file));
  }

  /** The format of a folder on disk that is one work. */
  findFolder(path: string): LoadedFormat | undefined {
    return this.findFolderFormat(listFolder(path, readdirSync(path, { withFileTypes: true })));
  }

  /** The same, of a folder that was listed. */
  findFolderFormat(folder: FolderListing): LoadedFormat | undefined {
    return this.#folderFormats.find(({ inspect }) => inspect.matchesFolder!(folder));
  }

  /** What other programs left in a folder. A reader that fails says nothing. */
  readFolder(path: string): FolderReading | undefined {
    for (const module of this.modules) {
      try {
        const reading = module.readFolder?.(path);
        if (reading) return reading;
      } catch {
        continue;
      }
    }
    return undefined;
  }
}

/** What a folder holds, by name. */
export function listFolder(path: string, entries: readonly Dirent[]): FolderListing {
  return {
    name: basename(path),
    files: entries.filter((entry) => entry.isFile()).map(({ name }) => name),
    folders: entries.filter((entry) => entry.isDirectory()).map(({ name }) => name),
  };
}

/** Imports the inspectors. Formats whose inspector cannot be imported are left out, and told of. */
export async function loadFormats(
  descriptions: readonly FormatDescription[],
): Promise<{ formats: LoadedFormats; broken: BrokenFormat[] }> {
  const formats: LoadedFormat[] = [];
  const modules = new Set<InspectorModule>();
  const broken: BrokenFormat[] = [];
  for (const description of descriptions) {
    try {
      const module = (await import(description.inspector)) as InspectorModule;
      const inspect = module.inspectors[description.id];
      if (inspect === undefined) throw new Error(`The inspector's module has none for the format.`);
      formats.push({ ...description, inspect });
      modules.add(module);
    } catch (thrown) {
      broken.push({ id: description.id, error: thrown instanceof Error ? thrown.message : String(thrown) });
    }
  }
  return { formats: new LoadedFormats(formats, [...modules]), broken };
}
