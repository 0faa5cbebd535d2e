import { hash } from "node:crypto";
import { bencode, type Bencodable } from "./bencode.js";

export interface MadeTorrent {
  readonly bytes: Uint8Array;
  /** 40 digits of lower-case hex. */
  readonly infoHash: string;
  /** All files behind each other, as the pieces are cut from them. */
  readonly content: Uint8Array;
  readonly pieceBytes: number;
}

export interface TorrentPlan {
  /** Of the file, or of the folder where there are several. */
  readonly name: string;
  /** By path; one alone is a torrent of a single file, called `name`. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly announce?: string | undefined;
  /** Put over what is made: for torrents that lie. */
  readonly info?: Readonly<Record<string, Bencodable>>;
  /** Of both versions of the format; for a single file. */
  readonly isHybrid?: boolean;
}

const pieceBytes = 16_384;
const nothing = Buffer.alloc(0);

/** A torrent of version 1, and of version 2 besides where that is asked for. */
export function makeTorrent({ name, files, announce, info = {}, isHybrid = false }: TorrentPlan): MadeTorrent {
  const content = Buffer.concat([...files.values()]);
  const hashes: Buffer[] = [];
  for (let at = 0; at < content.length; at += pieceBytes)
    hashes.push(hash("sha1", content.subarray(at, at + pieceBytes), "buffer"));
  const contents: Record<string, Bencodable> =
    files.size === 1
      ? { length: content.length }
      : { files: [...files].map(([path, bytes]) => ({ length: bytes.length, path: path.split("/") })) };
  const newer = isHybrid ? secondVersion(name, content) : undefined;
  const older = { name, "piece length": pieceBytes, pieces: Buffer.concat(hashes), ...contents };
  const described = bencode({ ...older, ...newer?.info, ...info });
  const head = announce === undefined ? "d" : `d8:announce${bencode(announce).toString()}`;
  const bytes = Buffer.concat([Buffer.from(`${head}4:info`), described, newer?.layers ?? nothing, Buffer.from("e")]);
  return { bytes, infoHash: hash("sha1", described), content, pieceBytes };
}

/** What version 2 adds to a torrent of one file: pieces are as long as the leaves of its tree of hashes. */
function secondVersion(name: string, content: Buffer) {
  const leaves: Buffer[] = [];
  for (let at = 0; at < content.length; at += pieceBytes)
    leaves.push(hash("sha256", content.subarray(at, at + pieceBytes), "buffer"));
  const root = rootOf(leaves);
  const tree = { [name]: { "": { length: content.length, "pieces root": root } } };
  // The key is bytes, and so is not written as other keys are.
  const layers = [Buffer.from("12:piece layersd"), bencode(root), bencode(Buffer.concat(leaves)), Buffer.from("e")];
  return { info: { "file tree": tree, "meta version": 2 }, layers: Buffer.concat(layers) };
}

function rootOf(leaves: readonly Buffer[]): Buffer {
  let level = [...leaves];
  while (level.length & (level.length - 1)) level.push(Buffer.alloc(32));
  while (level.length > 1)
    level = Array.from({ length: level.length / 2 }, (_, at) =>
      hash("sha256", Buffer.concat([level[2 * at]!, level[2 * at + 1]!]), "buffer"),
    );
  return level[0]!;
}
