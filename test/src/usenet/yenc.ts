import { crc32 } from "node:zlib";

const lineLength = 128;
const criticalBytes = new Set([0x00, 0x0a, 0x0d, 0x3d]);
const dot = 0x2e;

export interface Part {
  /** The name of the file. */
  readonly name: string;
  /** The whole file. */
  readonly bytes: Uint8Array;
  /** Where the part begins and ends in it. */
  readonly from: number;
  readonly to: number;
  /** From 1. */
  readonly number: number;
  readonly count: number;
}

/** The body of an article that holds one part of a file, with the lines' ends as on the wire. */
export function yencBody({ name, bytes, from, to, number, count }: Part): Uint8Array {
  const part = bytes.subarray(from, to);
  const sum = crc32(part).toString(16).padStart(8, "0");
  const head =
    count === 1
      ? [`=ybegin line=${lineLength} size=${bytes.length} name=${name}`]
      : [
          `=ybegin part=${number} total=${count} line=${lineLength} size=${bytes.length} name=${name}`,
          `=ypart begin=${from + 1} end=${to}`,
        ];
  const tail =
    count === 1 ? `=yend size=${part.length} crc32=${sum}` : `=yend size=${part.length} part=${number} pcrc32=${sum}`;
  return Buffer.concat([text(head), encoded(part), text([tail])]);
}

const text = (lines: readonly string[]) => Buffer.from(lines.map((line) => `${line}\r\n`).join(""), "latin1");

function encoded(part: Uint8Array): Uint8Array {
  const out = Buffer.alloc(part.length * 2 + Math.ceil(part.length / lineLength) * 2 + 2);
  let at = 0;
  let column = 0;
  for (const byte of part) {
    const value = (byte + 42) % 256;
    // A dot at the beginning of a line would have to be doubled on the wire.
    if (criticalBytes.has(value) || (column === 0 && value === dot)) {
      out[at++] = 0x3d;
      out[at++] = (value + 64) % 256;
      column += 2;
    } else {
      out[at++] = value;
      column += 1;
    }
    if (column >= lineLength) {
      out[at++] = 0x0d;
      out[at++] = 0x0a;
      column = 0;
    }
  }
  if (column > 0) {
    out[at++] = 0x0d;
    out[at++] = 0x0a;
  }
  return out.subarray(0, at);
}
