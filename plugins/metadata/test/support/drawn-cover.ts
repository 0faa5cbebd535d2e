import { crc32, deflateSync } from "node:zlib";
import { seededRandom } from "@longbox/test/fixtures";

const [columns, rows] = [9, 13];

/** How a copy of a cover differs from another: its size, its brightness, and the noise of a scan. */
export interface Copying {
  readonly scale: number;
  readonly brighter: number;
  readonly noise: number;
}
export const scanned: Copying = { scale: 8, brighter: 0, noise: 8 };
export const published: Copying = { scale: 11, brighter: 12, noise: 0 };

/** A cover of grey fields as a PNG: the same seed is the same cover, whatever the copy. */
export function drawnCover(seed: number, { scale, brighter, noise }: Copying): Buffer {
  const random = seededRandom(seed);
  const fields = Array.from({ length: columns * rows }, () => random.between(10, 240));
  const grain = seededRandom(seed + 1);
  const [width, height] = [columns * scale, rows * scale];
  const lines = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const field = fields[Math.floor(y / scale) * columns + Math.floor(x / scale)]!;
      const grey = field + brighter + (noise === 0 ? 0 : grain.between(-noise, noise));
      lines[y * (width + 1) + 1 + x] = Math.max(0, Math.min(255, grey));
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = 8;
  const signature = Buffer.from("89504e470d0a1a0a", "hex");
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(lines, { level: 1 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const framed = Buffer.alloc(body.length + 8);
  framed.writeUInt32BE(data.length, 0);
  body.copy(framed, 4);
  framed.writeUInt32BE(crc32(body), body.length + 4);
  return framed;
}
