import { BencodedDictionary, type Bencoded } from "./bencode.js";

export interface TorrentFile {
  /** Inside the download, with `/`. */
  readonly path: string;
  readonly sizeBytes: number;
}

const mostFiles = 10_000;
const longestPart = 255;
const deepest = 20;

/**
 * The files of a torrent. Every spelling of every path is checked, in both versions of the format, since it is the
 * client that decides which one it follows.
 * @throws {Error} with a sentence for a person
 */
export function filesOf(info: BencodedDictionary): TorrentFile[] {
  const name = nameOf(info);
  const older = info.get("pieces") === undefined ? [] : filesOfFirst(info, name);
  const tree = info.get("file tree");
  const newer = tree instanceof BencodedDictionary ? filesOfTree(tree, name) : [];
  const files = older.length > 0 ? older : newer;
  const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0);
  if (files.length === 0 || sizeBytes === 0) throw new Error("The torrent holds no files.");
  if (!Number.isSafeInteger(sizeBytes)) throw new Error("The torrent claims to be larger than any disk.");
  return files;
}

/** The name of the file, or of the folder of all files. */
export function nameOf(info: BencodedDictionary): string {
  return spellings(info, "name").map(partOf).at(-1) ?? fail("The torrent has no name.");
}

function filesOfFirst(info: BencodedDictionary, name: string): TorrentFile[] {
  const list = info.get("files");
  if (list === undefined) return [{ path: name, sizeBytes: sizeOf(info) }];
  if (!Array.isArray(list)) throw new Error("The torrent is damaged: its list of files is none.");
  if (list.length > mostFiles) throw tooMany();
  return list.flatMap((file: Bencoded) => {
    if (!(file instanceof BencodedDictionary)) throw new Error("The torrent is damaged: its list of files is none.");
    const path = spellings(file, "path").map(pathOf).at(-1) ?? fail("A file in the torrent has no name.");
    if (isLink(file)) throw new Error("The torrent holds links, which may lead out of its folder.");
    return isPadding(file) ? [] : [{ path: `${name}/${path}`, sizeBytes: sizeOf(file) }];
  });
}

/** Version 2: folders are dictionaries, and a file is one with an empty key. */
function filesOfTree(tree: BencodedDictionary, name: string): TorrentFile[] {
  const files: TorrentFile[] = [];
  const enter = (folder: BencodedDictionary, parts: readonly string[]) => {
    if (parts.length > deepest) throw new Error("The torrent nests folders too deeply.");
    for (const [key, value] of folder.entries()) {
      if (!(value instanceof BencodedDictionary)) throw new Error("The torrent is damaged: its tree of files is none.");
      if (key !== "") enter(value, [...parts, partOf(Buffer.from(key, "latin1"))]);
      else if (isLink(value)) throw new Error("The torrent holds links, which may lead out of its folder.");
      else if (files.push({ path: parts.join("/"), sizeBytes: sizeOf(value) }) > mostFiles) throw tooMany();
    }
  };
  enter(tree, []);
  return files.length === 1 ? files : files.map((file) => ({ ...file, path: `${name}/${file.path}` }));
}

/** A text as it stands, and as UTF-8 where the torrent has that, too. */
function spellings(dictionary: BencodedDictionary, key: string): Bencoded[] {
  return [dictionary.get(key), dictionary.get(`${key}.utf-8`)].filter((value) => value !== undefined);
}

function pathOf(value: Bencoded): string {
  if (!Array.isArray(value) || value.length === 0 || value.length > deepest)
    throw new Error("A file in the torrent has no path that can be used.");
  return value.map(partOf).join("/");
}

function partOf(value: Bencoded): string {
  if (!(value instanceof Uint8Array)) throw new Error("A file in the torrent has no path that can be used.");
  const part = new TextDecoder().decode(value);
  if (part === ".." || part === "." || part === "" || /[/\\\p{Cc}]/u.test(part) || /^[A-Za-z]:/u.test(part))
    throw new Error(`A path in the torrent leads out of its folder, or names no file: "${shown(part)}".`);
  if (value.length > longestPart) throw new Error("The name of a file in the torrent is too long.");
  return part;
}

function sizeOf(file: BencodedDictionary): number {
  const size = file.get("length");
  if (typeof size !== "number" || size < 0) throw new Error("A file in the torrent has no size.");
  return size;
}

function attributesOf(file: BencodedDictionary): string {
  const value = file.get("attr");
  return value instanceof Uint8Array ? new TextDecoder().decode(value) : "";
}

const isPadding = (file: BencodedDictionary) => attributesOf(file).includes("p");
const isLink = (file: BencodedDictionary) => attributesOf(file).includes("l") || file.get("symlink path") !== undefined;
const tooMany = () => new Error(`The torrent holds more than ${mostFiles} files.`);
const shown = (part: string) => part.replaceAll(/\p{Cc}/gu, "�").slice(0, 60);

function fail(message: string): never {
  throw new Error(message);
}
