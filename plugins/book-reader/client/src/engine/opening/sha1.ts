/**
 * SHA-1, by which EPUB makes the key of obfuscated fonts. `crypto.subtle` has it only in pages that came over HTTPS,
 * and a library in one's home often does not.
 */
export async function sha1(text: string): Promise<Uint8Array> {
  const message = new TextEncoder().encode(text);
  const blocks = new DataView(new ArrayBuffer((((message.length + 8) >> 6) + 1) * 64));
  message.forEach((byte, index) => blocks.setUint8(index, byte));
  blocks.setUint8(message.length, 0x80);
  blocks.setUint32(blocks.byteLength - 4, message.length * 8);
  const state = [0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0];
  for (let offset = 0; offset < blocks.byteLength; offset += 64) mix(state, words(blocks, offset));
  const digest = new DataView(new ArrayBuffer(20));
  state.forEach((word, index) => digest.setUint32(index * 4, word >>> 0));
  return new Uint8Array(digest.buffer);
}

const rotate = (word: number, by: number) => (word << by) | (word >>> (32 - by));

function words(blocks: DataView, offset: number): number[] {
  const list = Array.from({ length: 16 }, (_, index) => blocks.getUint32(offset + index * 4));
  for (let index = 16; index < 80; index++)
    list.push(rotate(list[index - 3]! ^ list[index - 8]! ^ list[index - 14]! ^ list[index - 16]!, 1));
  return list;
}

function mix(state: number[], list: readonly number[]): void {
  let [a, b, c, d, e] = state as [number, number, number, number, number];
  list.forEach((word, index) => {
    const [choice, constant] = round(index, [b, c, d]);
    [a, b, c, d, e] = [(rotate(a, 5) + choice + e + constant + word) | 0, a, rotate(b, 30), c, d];
  });
  [a, b, c, d, e].forEach((word, index) => (state[index] = (state[index]! + word) | 0));
}

function round(index: number, [b, c, d]: readonly [number, number, number]): [choice: number, constant: number] {
  if (index < 20) return [(b & c) | (~b & d), 0x5a827999];
  if (index < 40) return [b ^ c ^ d, 0x6ed9eba1];
  if (index < 60) return [(b & c) | (b & d) | (c & d), 0x8f1bbcdc];
  return [b ^ c ^ d, 0xca62c1d6];
}
