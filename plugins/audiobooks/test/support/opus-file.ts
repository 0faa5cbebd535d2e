import { vorbisComments } from "./lossless-file.ts";

/** Opus in Ogg: 20 ms of silence in each packet. */
export function opusFile({
  seconds,
  comments = [],
}: {
  readonly seconds: number;
  readonly comments?: readonly string[];
}): Buffer {
  const head = Buffer.from("OpusHead\x01\x01\0\0\x80\xbb\0\0\0\0\0", "latin1");
  const tags = Buffer.concat([Buffer.from("OpusTags"), vorbisComments(comments)]);
  const packet = Buffer.from([0xf8, 0xff, 0xfe]);
  const packets = Math.round(seconds * 50);
  const pages: Buffer[] = [page({ flags: 2, granule: 0, number: 0, packets: [head] }), ...pagesOf(tags)];
  for (let from = 0; from < packets; from += 50) {
    const count = Math.min(50, packets - from);
    const flags = from + count === packets ? 4 : 0;
    pages.push(
      page({
        flags,
        granule: (from + count) * 960,
        number: pages.length,
        packets: Array.from({ length: count }, () => packet),
      }),
    );
  }
  return Buffer.concat(pages);
}

/** A packet of any length: a page holds 255 pieces of 255 bytes, and the last piece of a packet is shorter. */
function pagesOf(packet: Buffer): Buffer[] {
  const pageBytes = 255 * 255;
  const pages: Buffer[] = [];
  for (let at = 0; at <= packet.length; at += pageBytes) {
    const piece = packet.subarray(at, at + pageBytes);
    const flags = at === 0 ? 0 : 1;
    pages.push(
      page({ flags, granule: 0, number: pages.length + 1, packets: [piece], isOpen: piece.length === pageBytes }),
    );
  }
  return pages;
}

interface Page {
  readonly flags: number;
  readonly granule: number;
  readonly number: number;
  readonly packets: readonly Buffer[];
  /** The packet goes on in the next page. */
  readonly isOpen?: boolean;
}

function page({ flags, granule, number, packets, isOpen = false }: Page): Buffer {
  const lacing = packets.flatMap(({ length }) => [
    ...Array.from({ length: Math.floor(length / 255) }, () => 255),
    ...(isOpen ? [] : [length % 255]),
  ]);
  const bytes = Buffer.concat([Buffer.alloc(27), Buffer.from(lacing), ...packets]);
  bytes.write("OggS", "latin1");
  bytes[5] = flags;
  bytes.writeBigInt64LE(BigInt(granule), 6);
  bytes.writeUInt32LE(7, 14);
  bytes.writeUInt32LE(number, 18);
  bytes[26] = lacing.length;
  bytes.writeUInt32LE(checksum(bytes), 22);
  return bytes;
}

function checksum(bytes: Uint8Array): number {
  let value = 0;
  for (const byte of bytes) {
    value ^= byte << 24;
    for (let bit = 0; bit < 8; bit += 1) value = value & 0x80000000 ? (value << 1) ^ 0x04c11db7 : value << 1;
  }
  return value >>> 0;
}
