import { hash } from "node:crypto";
import { BencodedDictionary, readBencode } from "./bencode.js";
import { filesOf, nameOf, type TorrentFile } from "./contents.js";

/** What a torrent file says. */
export interface Torrent {
  /** Lower-case hex: 40 digits, or 64 where the torrent is of version 2 alone. */
  readonly infoHash: string;
  /** Those of all versions that it is of. */
  readonly hashes: readonly string[];
  readonly name: string;
  readonly files: readonly TorrentFile[];
}

/** Enough for the pieces' hashes of a few terabytes; a million files are past it. */
const limits = { depth: 60, values: 200_000 };
const digestBytes = 20;

/**
 * Reads a torrent file of version 1, 2 or both. For a thread of its own.
 * @throws {Error} with a sentence for a person
 */
export function readTorrent(bytes: Uint8Array): Torrent {
  if (bytes[0] !== 0x64) throw new Error(inPlaceOf(bytes));
  const root = readBencode(bytes, limits);
  const info = root instanceof BencodedDictionary ? root.get("info") : undefined;
  if (!(root instanceof BencodedDictionary) || !(info instanceof BencodedDictionary))
    throw new Error("The torrent does not say what is in it.");
  const files = filesOf(info);
  if (info.get("pieces") !== undefined) checkPieces(info);
  else if (info.get("meta version") !== 2) throw new Error("The torrent has no hashes of its pieces.");
  const hashes = hashesOf(bytes.subarray(...root.spanOf("info")!), info);
  return { infoHash: hashes[0]!, hashes, name: nameOf(info), files };
}

/** Of the bytes as they are in the file. */
function hashesOf(bytes: Uint8Array, info: BencodedDictionary): string[] {
  const isFirst = info.get("pieces") !== undefined;
  const isSecond = info.get("meta version") === 2;
  return [...(isFirst ? [hash("sha1", bytes)] : []), ...(isSecond ? [hash("sha256", bytes)] : [])];
}

/** As many hashes as there are pieces, else no client finishes it. */
function checkPieces(info: BencodedDictionary): void {
  const pieces = info.get("pieces");
  const length = info.get("piece length");
  if (!(pieces instanceof Uint8Array) || typeof length !== "number" || length < 1024)
    throw new Error("The torrent has no hashes of its pieces.");
  const list = info.get("files");
  const parts = Array.isArray(list) ? list : [info];
  const total = parts.reduce((sum: number, part) => {
    const size = part instanceof BencodedDictionary ? part.get("length") : undefined;
    return sum + (typeof size === "number" ? size : 0);
  }, 0);
  if (pieces.length !== Math.ceil(total / length) * digestBytes)
    throw new Error("The torrent is damaged: the hashes of its pieces do not fit its size.");
}

function inPlaceOf(bytes: Uint8Array): string {
  const start = new TextDecoder().decode(bytes.subarray(0, 200)).trimStart();
  if (bytes.length === 0) return "The indexer sent nothing in place of the torrent.";
  if (start.startsWith("<")) return "The indexer sent a web page in place of the torrent.";
  return "What the indexer sent is not a torrent.";
}
