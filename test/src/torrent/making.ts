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
}

const pieceBytes = 16_384;

/** A torrent of version 1. */
export function makeTorrent({ name, files, announce, info = {} }: TorrentPlan): MadeTorrent {
  const content = Buffer.concat([...files.values()]);
  const hashes: Buffer[] = [];
  for (let at = 0; at < content.length; at += pieceBytes)
    hashes.push(hash("sha1", content.subarray(at, at + pieceBytes), "buffer"));
  const contents: Record<string, Bencodable> =
    files.size === 1
      ? { length: content.length }
      : { files: [...files].map(([path, bytes]) => ({ length: bytes.length, path: path.split("/") })) };
  const described = bencode({ name, "piece length": pieceBytes, pieces: Buffer.concat(hashes), ...contents, ...info });
  const head = announce === undefined ? "d" : `d8:announce${bencode(announce).toString()}`;
  const bytes = Buffer.concat([Buffer.from(`${head}4:info`), described, Buffer.from("e")]);
  return { bytes, infoHash: hash("sha1", described), content, pieceBytes };
}
