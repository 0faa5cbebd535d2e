import { closeSync, fsyncSync, openSync, readFileSync, renameSync, unlinkSync, writeSync } from "node:fs";
import { crc32 } from "node:zlib";
import { numbersIn, type WholeNumbers } from "../columns/growing.js";
import { findableColumns, type StoredFindable } from "../finding/findable.js";
import { listKinds, plainColumns, singleKinds, type StoredDocuments } from "./documents.js";

/** Another version is not read: the index is built again. */
const version = 3;
const magic = Buffer.from("LBSHELF1");
const wordBytes = 4;
const widths: ReadonlySet<number> = new Set([1, 2, 4]);

interface Header {
  readonly version: number;
  readonly builtAt: string;
  readonly sections: ReadonlyArray<{
    readonly name: string;
    readonly bytes: number;
    readonly checksum: number;
    /** Of a column: the bytes of each number. */
    readonly width: number;
  }>;
}

/** What a snapshot holds. */
export interface Snapshot {
  readonly builtAt: string;
  readonly documents: StoredDocuments;
  readonly names: Uint8Array;
  readonly findable: StoredFindable;
}

/** The file is not what was written. */
export class DamagedSnapshot extends Error {
  constructor(why: string, options?: ErrorOptions) {
    super(`The snapshot of the index is damaged: ${why}.`, options);
    this.name = "DamagedSnapshot";
  }
}

interface Section {
  readonly name: string;
  readonly content: Uint8Array;
  readonly width: number;
}
type Sections = ReadonlyMap<string, Omit<Section, "name">>;

/**
 * Writes beside the file, and puts the new one in its place once it is on disk: there is always an old or a new one.
 */
export function writeSnapshot(file: string, snapshot: Snapshot): { bytes: number } {
  const { builtAt, documents, names, findable } = snapshot;
  const sections = [
    { name: "names", content: names, width: 1 },
    ...sectionsOf(documents),
    ...findableSections(findable),
  ];
  const header = headerOf(builtAt, sections);
  const partial = `${file}.partial`;
  const target = openSync(partial, "w", 0o600);
  let bytes = 0;
  const write = (content: Uint8Array) => {
    for (let at = 0; at < content.byteLength;) at += writeSync(target, content, at);
    bytes += content.byteLength;
  };
  try {
    write(magic);
    write(lengthOf(header));
    write(header);
    for (const { content } of sections) {
      write(content);
      write(Buffer.alloc(paddingOf(content.byteLength)));
    }
    fsyncSync(target);
  } finally {
    closeSync(target);
  }
  renameSync(partial, file);
  return { bytes };
}

function headerOf(builtAt: string, sections: readonly Section[]): Buffer {
  const described = sections.map(({ name, content, width }) => ({
    name,
    bytes: content.byteLength,
    checksum: crc32(content),
    width,
  }));
  return Buffer.from(JSON.stringify({ version, builtAt, sections: described }));
}

/** @returns undefined where there is none @throws {DamagedSnapshot} */
export function readSnapshot(file: string): Snapshot | undefined {
  const bytes = readIfThere(file);
  if (!bytes) return undefined;
  if (!bytes.subarray(0, magic.length).equals(magic)) throw new DamagedSnapshot("it begins with other bytes");
  const headerAt = magic.length + wordBytes;
  if (bytes.length < headerAt) throw new DamagedSnapshot("it is cut off");
  const headerLength = bytes.readUInt32LE(magic.length);
  const { builtAt, sections } = readHeader(bytes.subarray(headerAt, headerAt + headerLength));
  const contents = new Map<string, Omit<Section, "name">>();
  let at = headerAt + headerLength;
  for (const { name, bytes: length, checksum, width } of sections) {
    const content = bytes.subarray(at, at + length);
    if (content.byteLength !== length || crc32(content) !== checksum) throw new DamagedSnapshot(`${name} differs`);
    contents.set(name, { content, width });
    at += length + paddingOf(length);
  }
  const names = sectionNamed(contents, "names").content;
  return { builtAt, documents: documentsOf(contents), names, findable: findableOf(contents) };
}

export function removeSnapshot(file: string): void {
  try {
    unlinkSync(file);
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code !== "ENOENT") throw fault;
  }
}

function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch (fault) {
    if ((fault as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw fault;
  }
}

/**
 * Looks at the fields itself: a library of schemas would cost the thread more memory than the index of most servers.
 */
function readHeader(bytes: Buffer): Header {
  let header: Partial<Header> | null;
  try {
    header = JSON.parse(bytes.toString("utf8")) as Partial<Header> | null;
  } catch (cause) {
    throw new DamagedSnapshot("its header cannot be read", { cause });
  }
  const { version: found, builtAt, sections } = header ?? {};
  const isWhole = ({ name, bytes: length, checksum, width }: Partial<Header["sections"][number]>) =>
    typeof name === "string" &&
    Number.isSafeInteger(length) &&
    length! >= 0 &&
    typeof checksum === "number" &&
    widths.has(width!);
  if (found !== version || typeof builtAt !== "string" || !Array.isArray(sections) || !sections.every(isWhole))
    throw new DamagedSnapshot("its header cannot be read");
  return { version, builtAt, sections };
}

const paddingOf = (length: number) => (wordBytes - (length % wordBytes)) % wordBytes;

function lengthOf(header: Buffer): Buffer {
  const length = Buffer.alloc(wordBytes);
  length.writeUInt32LE(header.byteLength);
  return length;
}

function asBytes(name: string, { buffer, byteOffset, byteLength, BYTES_PER_ELEMENT: width }: WholeNumbers): Section {
  return { name, content: new Uint8Array(buffer, byteOffset, byteLength), width };
}

function findableSections({ words, columns }: StoredFindable): Section[] {
  return [
    { name: "words", content: Buffer.from(words), width: 1 },
    ...findableColumns.map((name) => asBytes(`findable.${name}`, columns[name])),
  ];
}

function findableOf(contents: Sections): StoredFindable {
  const words = Buffer.from(sectionNamed(contents, "words").content).toString();
  const columns = findableColumns.map((name) => [name, columnNamed(contents, `findable.${name}`)] as const);
  return { words, columns: Object.fromEntries(columns) as StoredFindable["columns"] };
}

function sectionsOf(documents: StoredDocuments): Section[] {
  return [
    ...plainColumns.map((name) => asBytes(`plain.${name}`, documents.plain[name])),
    ...singleKinds.map((kind) => asBytes(`single.${kind}`, documents.single[kind])),
    ...listKinds.flatMap((kind) => [
      asBytes(`ends.${kind}`, documents.ends[kind]),
      asBytes(`items.${kind}`, documents.items[kind]),
    ]),
    asBytes("hidden", documents.hidden),
  ];
}

function documentsOf(contents: Sections): StoredDocuments {
  const column = (name: string) => columnNamed(contents, name);
  const each = <Name extends string>(names: readonly Name[], prefix: string) =>
    Object.fromEntries(names.map((name) => [name, column(`${prefix}.${name}`)])) as Record<Name, WholeNumbers>;
  return {
    plain: each(plainColumns, "plain"),
    single: each(singleKinds, "single"),
    ends: each(listKinds, "ends"),
    items: each(listKinds, "items"),
    hidden: column("hidden"),
  };
}

/** Copied: columns grow by themselves, and the file's bytes are not kept for the sake of one of them. */
function columnNamed(contents: Sections, name: string): WholeNumbers {
  const { content, width } = sectionNamed(contents, name);
  const buffer = new ArrayBuffer(content.byteLength);
  new Uint8Array(buffer).set(content);
  return numbersIn(buffer, width);
}

/** @throws {DamagedSnapshot} */
function sectionNamed(contents: Sections, name: string): Omit<Section, "name"> {
  const section = contents.get(name);
  if (!section || section.content.byteLength % section.width !== 0) throw new DamagedSnapshot(`${name} is missing`);
  return section;
}
