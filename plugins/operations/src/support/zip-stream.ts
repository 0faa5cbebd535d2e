import { Zip, ZipDeflate } from "fflate";

/** One file of an archive. */
export interface ZipPart {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** How much is deflated before others get a turn, in bytes. */
const sliceBytes = 256 * 1024;

/**
 * Packs files into a ZIP as they come, and as its reader asks for more: at no time is more than one of them in memory.
 */
export async function* zipStream(parts: AsyncIterable<ZipPart>): AsyncGenerator<Uint8Array> {
  const ready: Uint8Array[] = [];
  const archive = new Zip((fault, chunk) => {
    if (fault) throw fault;
    ready.push(chunk);
  });
  for await (const { name, bytes } of parts) {
    const file = new ZipDeflate(name, { level: 6 });
    archive.add(file);
    for (let at = 0; at === 0 || at < bytes.length; at += sliceBytes) {
      file.push(bytes.subarray(at, at + sliceBytes), at + sliceBytes >= bytes.length);
      yield* ready.splice(0);
      await new Promise(setImmediate);
    }
  }
  archive.end();
  yield* ready.splice(0);
}
