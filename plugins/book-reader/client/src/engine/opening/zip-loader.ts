import {
  BlobReader,
  BlobWriter,
  configure,
  TextWriter,
  Uint8ArrayReader,
  ZipReader,
  type FileEntry,
} from "@zip.js/zip.js";

/** Larger ones are no texts or pictures of a book, but would fill the memory of the browser. */
const largestEntryBytes = 256 * 1024 * 1024;
const mostEntries = 50_000;
/** Smaller books are read into memory at once: each reading of a part of a blob asks another process of the browser. */
const largestInMemoryBytes = 64 * 1024 * 1024;

/** The files of an archive by name; a name that differs in case or in the form of its accents is found too. */
export interface ZipLoader {
  readonly names: readonly string[];
  loadText(name: string): Promise<string | null>;
  loadBlob(name: string, type?: string): Promise<Blob | null>;
  getSize(name: string): number;
}

const alike = (name: string) => name.normalize("NFC").toLowerCase();

export async function openZip(file: Blob): Promise<ZipLoader> {
  configure({ useWebWorkers: false });
  const entries = (await new ZipReader(await readerOf(file)).getEntries()).slice(0, mostEntries);
  const exact = new Map(entries.map((entry) => [entry.filename, entry]));
  const loose = new Map(entries.map((entry) => [alike(entry.filename), entry]));
  const find = (name: string): FileEntry | undefined => {
    const entry = exact.get(name) ?? loose.get(alike(name));
    return entry === undefined || entry.directory || entry.uncompressedSize > largestEntryBytes ? undefined : entry;
  };
  return {
    names: entries.map(({ filename }) => filename),
    loadText: async (name) => (await find(name)?.getData(new TextWriter())) ?? null,
    loadBlob: async (name, type) => (await find(name)?.getData(new BlobWriter(type))) ?? null,
    getSize: (name) => find(name)?.uncompressedSize ?? 0,
  };
}

async function readerOf(file: Blob): Promise<BlobReader | Uint8ArrayReader> {
  if (file.size > largestInMemoryBytes) return new BlobReader(file);
  return new Uint8ArrayReader(new Uint8Array(await file.arrayBuffer()));
}
