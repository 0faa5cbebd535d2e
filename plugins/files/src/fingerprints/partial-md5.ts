import { hash } from "node:crypto";
import { basename } from "node:path";

const sampleBytes = 1024;
/** 0, then 1 kB, 4 kB, 16 kB and so on to 1 GB. */
const offsets: readonly number[] = [0, ...Array.from({ length: 11 }, (_, power) => sampleBytes * 4 ** power)];

/** One hash of them all takes half the time of one that is fed piece by piece. */
const samples = Buffer.allocUnsafeSlow(offsets.length * sampleBytes);

/**
 * The MD5 of samples of a file, as KOReader makes it.
 * @param read - Up to so many bytes from an offset; fewer where the file ends
 */
export function partialMd5(read: (offset: number, length: number) => Uint8Array): string {
  let filled = 0;
  for (const offset of offsets) {
    const sample = read(offset, sampleBytes);
    if (sample.byteLength === 0) break;
    samples.set(sample, filled);
    filled += sample.byteLength;
  }
  return hash("md5", samples.subarray(0, filled), "hex");
}

/** The MD5 of a file's name, as KOReader makes it. */
export function nameMd5(path: string): string {
  return hash("md5", basename(path), "hex");
}
