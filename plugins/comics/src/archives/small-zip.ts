import type { ZipEntry } from "./zip-directory.js";

const name = Buffer.from("page");

/** A ZIP of one packed entry, named `page`, for an unpacker that knows only whole archives. */
export function smallZip(entry: ZipEntry, packed: Uint8Array): Uint8Array {
  const local = Buffer.alloc(30);
  local.writeUInt32LE(0x04034b50, 0);
  describe(local.subarray(4), entry, packed.length);
  const central = Buffer.alloc(46);
  central.writeUInt32LE(0x02014b50, 0);
  central.writeUInt16LE(63, 4);
  describe(central.subarray(6), entry, packed.length);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(1, 8);
  end.writeUInt16LE(1, 10);
  end.writeUInt32LE(central.length + name.length, 12);
  end.writeUInt32LE(local.length + name.length + packed.length, 16);
  return Buffer.concat([local, name, packed, central, name, end]);
}

/**
 * The fields that both kinds of header share, from "version needed" on. Bits 1 and 2 of the flags belong to the method.
 */
function describe(header: Buffer, entry: ZipEntry, packedBytes: number): void {
  header.writeUInt16LE(63, 0);
  header.writeUInt16LE(entry.flags & 0x6, 2);
  header.writeUInt16LE(entry.method, 4);
  header.writeUInt32LE(entry.crc32, 10);
  header.writeUInt32LE(packedBytes, 14);
  header.writeUInt32LE(entry.sizeBytes, 18);
  header.writeUInt16LE(name.length, 22);
}
