import { deflateRawSync, deflateSync, crc32 } from "node:zlib";

/** One entry of a ZIP whose numbers need not be true. */
export interface RawEntry {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly deflate?: boolean;
  /** What the directory and the local header say in place of the truth. */
  readonly claims?: { readonly sizeBytes?: number; readonly crc?: number };
}

/** Packs a ZIP entry by entry, so that its numbers can lie. */
export function rawZip(entries: readonly RawEntry[]): Buffer {
  const locals: Buffer[] = [];
  const records: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes, deflate = true, claims = {} } of entries) {
    const data = deflate ? deflateRawSync(bytes, { level: 9 }) : Buffer.from(bytes);
    const text = Buffer.from(name, "utf8");
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(0x800, 2);
    fields.writeUInt16LE(deflate ? 8 : 0, 4);
    fields.writeUInt32LE(claims.crc ?? crc32(bytes), 10);
    fields.writeUInt32LE(data.length, 14);
    fields.writeUInt32LE(claims.sizeBytes ?? bytes.length, 18);
    fields.writeUInt16LE(text.length, 22);
    locals.push(Buffer.from("PK\x03\x04", "latin1"), fields, text, data);
    const record = Buffer.alloc(46);
    record.write("PK\x01\x02", "latin1");
    record.writeUInt16LE(20, 4);
    fields.copy(record, 6);
    record.writeUInt32LE(offset, 42);
    records.push(record, text);
    offset += 30 + text.length + data.length;
  }
  const directory = Buffer.concat(records);
  const end = Buffer.alloc(22);
  end.write("PK\x05\x06", "latin1");
  end.writeUInt16LE(entries.length & 0xffff, 8);
  end.writeUInt16LE(entries.length & 0xffff, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, directory, end]);
}

/** A ZIP of very many empty images, written at once since one by one would take too long. */
export function crowdedZip(count: number): Buffer {
  const local = Buffer.alloc(30 + 11);
  local.write("PK\x03\x04", "latin1");
  local.writeUInt16LE(20, 4);
  local.writeUInt16LE(11, 26);
  const record = Buffer.alloc(46 + 11);
  record.write("PK\x01\x02", "latin1");
  record.writeUInt16LE(20, 4);
  record.writeUInt16LE(20, 6);
  record.writeUInt16LE(11, 28);
  const bytes = Buffer.alloc(count * (local.length + 1 + record.length) + 22);
  local.writeUInt32LE(1, 18);
  local.writeUInt32LE(1, 22);
  record.writeUInt32LE(1, 20);
  record.writeUInt32LE(1, 24);
  const checksum = crc32(Buffer.from([0]));
  local.writeUInt32LE(checksum, 14);
  record.writeUInt32LE(checksum, 16);
  const directory = count * (local.length + 1);
  for (let index = 0; index < count; index++) {
    const name = `${String(index).padStart(7, "0")}.jpg`;
    local.write(name, 30, "latin1");
    local.copy(bytes, index * (local.length + 1));
    record.writeUInt32LE(index * (local.length + 1), 42);
    record.write(name, 46, "latin1");
    record.copy(bytes, directory + index * record.length);
  }
  const end = bytes.length - 22;
  bytes.write("PK\x05\x06", end, "latin1");
  bytes.writeUInt16LE(count & 0xffff, end + 8);
  bytes.writeUInt16LE(count & 0xffff, end + 10);
  bytes.writeUInt32LE(count * record.length, end + 12);
  bytes.writeUInt32LE(directory, end + 16);
  return bytes;
}

/** A PNG of one colour, however large: its rows compress to almost nothing. */
export function plainPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.writeUInt8(1, 8);
  const rows = deflateSync(Buffer.alloc((Math.ceil(width / 8) + 1) * height), { level: 9 });
  return Buffer.concat([
    Buffer.from("\x89PNG\r\n\x1a\n", "latin1"),
    pngChunk("IHDR", header),
    pngChunk("IDAT", rows),
    pngChunk("IEND", Buffer.alloc(0)),
  ]);
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}

/** A GIF of very many frames, each of which is the whole, large, plain screen. */
export function crowdedGif(size: number, frames: number): Buffer {
  const screen = Buffer.alloc(13 + 6);
  screen.write("GIF89a", "latin1");
  screen.writeUInt16LE(size, 6);
  screen.writeUInt16LE(size, 8);
  screen.writeUInt8(0x80, 10);
  screen.fill(0xff, 16);
  const control = Buffer.from([0x21, 0xf9, 4, 0, 5, 0, 0, 0]);
  const image = Buffer.alloc(10);
  image.writeUInt8(0x2c, 0);
  image.writeUInt16LE(size, 5);
  image.writeUInt16LE(size, 7);
  const frame = Buffer.concat([control, image, lzwOfZeros(size * size)]);
  return Buffer.concat([screen, ...Array.from({ length: frames }, () => frame), Buffer.from([0x3b])]);
}

/** GIF's LZW for nothing but zeros: codes that grow by one pixel each, begun afresh whenever the table is full. */
function lzwOfZeros(pixels: number): Buffer {
  const bits = new BitWriter();
  const [clear, end] = [4, 5];
  let left = pixels;
  while (left > 0) {
    let width = 3;
    bits.write(clear, width);
    // The n-th code after a clearing stands for n zeros: it is the one that the reader is about to learn.
    for (let count = 1; left > 0 && count + 4 < 4095; count++) {
      const run = Math.min(count, left);
      bits.write(run === 1 ? 0 : run + 4, width);
      left -= run;
      if (count + 5 === 1 << width && width < 12) width++;
    }
    if (left === 0) bits.write(end, width);
  }
  const data = bits.finish();
  const blocks: Buffer[] = [Buffer.from([2])];
  for (let at = 0; at < data.length; at += 255) {
    const block = data.subarray(at, at + 255);
    blocks.push(Buffer.from([block.length]), block);
  }
  return Buffer.concat([...blocks, Buffer.from([0])]);
}

class BitWriter {
  readonly #bytes: number[] = [];
  #held = 0;
  #count = 0;

  write(code: number, width: number): void {
    this.#held |= code << this.#count;
    for (this.#count += width; this.#count >= 8; this.#count -= 8) {
      this.#bytes.push(this.#held & 0xff);
      this.#held >>>= 8;
    }
  }

  finish(): Buffer {
    if (this.#count > 0) this.#bytes.push(this.#held & 0xff);
    return Buffer.from(this.#bytes);
  }
}

/** A JPEG whose header claims another size than it has. */
export function lyingJpeg(jpeg: Uint8Array, width: number, height: number): Buffer {
  const copy = Buffer.from(jpeg);
  for (let at = 2; at + 9 < copy.length; at += 2 + copy.readUInt16BE(at + 2)) {
    const marker = copy.readUInt16BE(at);
    if (marker !== 0xffc0 && marker !== 0xffc2) continue;
    copy.writeUInt16BE(height, at + 5);
    copy.writeUInt16BE(width, at + 7);
    return copy;
  }
  throw new Error("The JPEG has no frame header.");
}

/** PDFs that cost more than they weigh, by what is wrong with them. */
export function hostilePdfs(): ReadonlyMap<string, Buffer> {
  const zeros = deflateSync(Buffer.alloc(400_000_000), { level: 9 });
  const twice = deflateSync(zeros, { level: 9 });
  const page = "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R >>";
  const circle = Array.from({ length: 40 }, (_, index) => index + 3);
  return new Map([
    ["pages in a circle", pdf(["<< /Type /Pages /Count 99 /Kids [2 0 R 2 0 R] >>"])],
    ["a million pages claimed", pdf(["<< /Type /Pages /Count 1000000 /Kids [3 0 R] >>", page, stream("", "0 0 m")])],
    ["a page of a square kilometre", pdf([kids(3), page.replace("600 800", "0 2800000"), stream("", "0 0 m")])],
    ["a stream that unpacks to 400 MB", pdf([kids(3), page, stream("/Filter /FlateDecode", zeros)])],
    ["a stream packed twice", pdf([kids(3), page, stream("/Filter [/FlateDecode /FlateDecode]", twice)])],
    ["a drawing without end", pdf([kids(3), page, stream("", "0 0 m 600 800 l S ".repeat(400_000))])],
    [
      "forms that draw each other",
      pdf([
        kids(3),
        page.replace("/Contents", "/Resources << /XObject << /F 5 0 R >> >> /Contents"),
        stream("", "/F Do"),
        ...circle.map((_, index) =>
          stream(
            `/Type /XObject /Subtype /Form /BBox [0 0 600 800] /Resources << /XObject << /F ${(index % 38) + 6} 0 R >> >>`,
            "/F Do /F Do",
          ),
        ),
      ]),
    ],
    ["no objects at all", Buffer.from("%PDF-1.7\nstartxref\n0\n%%EOF")],
  ]);
}

const kids = (object: number) => `<< /Type /Pages /Count 1 /Kids [${object} 0 R] >>`;

function stream(entries: string, data: Uint8Array | string): { entries: string; data: Buffer } {
  return { entries, data: Buffer.from(data as string) };
}

/** Objects from number 2 on: the tree of pages first. */
function pdf(objects: ReadonlyArray<string | { entries: string; data: Buffer }>): Buffer {
  const parts: Buffer[] = [Buffer.from("%PDF-1.7\n")];
  const offsets: number[] = [];
  let at = parts[0]!.length;
  const add = (bytes: Buffer) => {
    parts.push(bytes);
    at += bytes.length;
  };
  for (const [index, object] of ["<< /Type /Catalog /Pages 2 0 R >>", ...objects].entries()) {
    offsets.push(at);
    add(Buffer.from(`${index + 1} 0 obj\n`));
    if (typeof object === "string") add(Buffer.from(object));
    else
      add(
        Buffer.concat([
          Buffer.from(`<< ${object.entries} /Length ${object.data.length} >>\nstream\n`),
          object.data,
          Buffer.from("\nendstream"),
        ]),
      );
    add(Buffer.from("\nendobj\n"));
  }
  const start = at;
  const rows = offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`);
  const size = offsets.length + 1;
  add(Buffer.from(`xref\n0 ${size}\n0000000000 65535 f \n${rows.join("")}`));
  add(Buffer.from(`trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${start}\n%%EOF`));
  return Buffer.concat(parts);
}
