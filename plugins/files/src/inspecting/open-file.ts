import { basename, dirname, relative, sep } from "node:path";
import { isWithin } from "@longbox/sdk/light";
import type { InspectedFile } from "../contract.js";
import type { FileWindow } from "./file-window.js";

/** The most that an inspector may read of one file through {@link OpenFile.read}. */
const mostReadBytes = 512 * 1024 * 1024;

/** The file that is being looked into, as its inspector sees it. */
export class OpenFile implements InspectedFile {
  readonly path: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly companions: readonly string[];
  readonly head: Buffer;
  #readBytes = 0;
  #ended = false;
  #controller: AbortController | undefined;
  readonly #rootFolder: string | undefined;
  #folders: readonly string[] | undefined;

  /** @param file.rootFolder - of the library that is scanned */
  constructor(
    {
      path,
      sizeBytes,
      companions,
      rootFolder,
    }: Pick<InspectedFile, "path" | "sizeBytes" | "companions"> & { readonly rootFolder: string | undefined },
    private readonly window: FileWindow,
  ) {
    this.path = path;
    this.name = basename(path);
    this.sizeBytes = sizeBytes;
    this.companions = companions;
    this.#rootFolder = rootFolder;
    this.head = window.head;
  }

  /** Made on demand, because few inspectors ask for it. */
  get folders(): readonly string[] {
    return (this.#folders ??= foldersOf(this.path, this.#rootFolder));
  }

  /** Made on demand, because most inspectors answer at once. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#ended) this.#controller.abort();
    return this.#controller.signal;
  }

  read(offset: number, length: number): Buffer {
    if (this.#ended) throw new Error("The file has been closed.");
    this.#readBytes += length;
    if (this.#readBytes > mostReadBytes) throw new RangeError("Too much of the file would be read.");
    return this.window.readUpTo(offset, length);
  }

  /** From now on nothing can be read: the window has moved on to the next file. */
  end(): void {
    this.#ended = true;
    this.#controller?.abort();
  }
}

function foldersOf(path: string, rootFolder: string | undefined): string[] {
  if (rootFolder === undefined || !isWithin(rootFolder, path)) return [];
  return relative(rootFolder, dirname(path)).split(sep).filter(Boolean);
}
