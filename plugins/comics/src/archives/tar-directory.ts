import type { ByteParser } from "./byte-reading.js";
import { UnreadableArchive } from "./unreadable.js";

/** A plain file inside a tar, stored as it is. */
export interface TarEntry {
  readonly name: string;
  readonly offset: number;
  readonly sizeBytes: number;
}

const block = 512;
const most = { entries: 100_000, longNameBytes: 65_536 };

/** Reads a tar's headers, one after the other, skipping the contents. @throws {UnreadableArchive} */
export function* readTarDirectory(fileBytes: number): ByteParser<TarEntry[]> {
  const entries: TarEntry[] = [];
  let next: { name?: string; sizeBytes?: number } = {};
  let at = 0;
  while (at + block <= fileBytes) {
    const header = yield { offset: at, length: block };
    if (header.every((byte) => byte === 0)) return entries;
    checkHeader(header);
    const type = String.fromCharCode(header[156]!);
    const sizeBytes = next.sizeBytes ?? numberField(header, 124, 12);
    const offset = at + block;
    const end = offset + Math.ceil(sizeBytes / block) * block;
    if (offset + sizeBytes > fileBytes) throw new UnreadableArchive("truncated", "The archive is cut off.");
    if (type === "x" || type === "L") {
      if (sizeBytes > most.longNameBytes) throw damaged();
      const bytes = yield { offset, length: sizeBytes };
      next = type === "L" ? { ...next, name: untilNul(bytes) } : { ...next, ...paxRecords(bytes) };
    } else {
      if (type === "0" || type === "\0" || type === "7")
        entries.push({ name: next.name ?? plainName(header), offset, sizeBytes });
      next = {};
    }
    if (entries.length > most.entries)
      throw new UnreadableArchive("too-large", "The archive's directory is too large to be that of a comic.");
    at = end;
  }
  if (entries.length === 0 && at < fileBytes) throw damaged();
  return entries;
}

function checkHeader(header: Buffer): void {
  let sum = 0;
  for (let at = 0; at < block; at++) sum += at >= 148 && at < 156 ? 0x20 : header[at]!;
  if (sum !== numberField(header, 148, 8)) throw damaged();
}

/** Octal digits, or, where those do not suffice, a binary number marked by its first bit. */
function numberField(header: Buffer, at: number, length: number): number {
  if (header[at]! & 0x80) {
    let large = 0;
    for (let index = at + 1; index < at + length; index++) large = large * 256 + header[index]!;
    if (!Number.isSafeInteger(large)) throw damaged();
    return large;
  }
  const digits = header
    .toString("latin1", at, at + length)
    .replace(/\0.*$/s, "")
    .trim();
  if (!/^[0-7]*$/.test(digits)) throw damaged();
  return digits === "" ? 0 : Number.parseInt(digits, 8);
}

function plainName(header: Buffer): string {
  const prefix = header.toString("latin1", 257, 263) === "ustar\0" ? untilNul(header.subarray(345, 500)) : "";
  const name = untilNul(header.subarray(0, 100));
  return prefix === "" ? name : `${prefix}/${name}`;
}

function untilNul(bytes: Buffer): string {
  const end = bytes.indexOf(0);
  return bytes.toString("utf8", 0, end < 0 ? bytes.length : end);
}

/** Records like `30 path=a long name\n`. */
function paxRecords(bytes: Buffer): { name?: string; sizeBytes?: number } {
  const found: { name?: string; sizeBytes?: number } = {};
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(0x20, at);
    const length = space < 0 ? Number.NaN : Number(bytes.toString("latin1", at, space));
    if (!Number.isInteger(length) || length < 5 || at + length > bytes.length) throw damaged();
    const [key, ...value] = bytes.toString("utf8", space + 1, at + length - 1).split("=");
    if (key === "path") found.name = value.join("=");
    if (key === "size" && /^\d{1,15}$/.test(value.join("="))) found.sizeBytes = Number(value.join("="));
    at += length;
  }
  return found;
}

function damaged(): UnreadableArchive {
  return new UnreadableArchive("damaged", "The archive is damaged: it cannot be unpacked.");
}
