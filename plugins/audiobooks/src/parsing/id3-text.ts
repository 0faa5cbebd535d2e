const encodings = ["latin1", "utf-16", "utf-16be", "utf-8"] as const;

/** The text of a frame: its first byte tells the encoding. */
export function frameText(bytes: Buffer): string {
  return decoded(bytes.subarray(1), bytes[0] ?? 0);
}

/**
 * A frame with a name and a text.
 * @param from - where the name begins: behind the encoding, and a language in comments
 */
export function namedText(bytes: Buffer, from: number): { readonly name: string; readonly text: string } {
  const encoding = bytes[0] ?? 0;
  const isWide = encoding === 1 || encoding === 2;
  let at = from;
  while (at < bytes.length && !(bytes[at] === 0 && (!isWide || bytes[at + 1] === 0))) at += isWide ? 2 : 1;
  return {
    name: decoded(bytes.subarray(from, at), encoding),
    text: decoded(bytes.subarray(at + (isWide ? 2 : 1)), encoding),
  };
}

function decoded(bytes: Buffer, encoding: number): string {
  const name = encodings[encoding] ?? "latin1";
  const isBig = name === "utf-16" && bytes[0] === 0xfe && bytes[1] === 0xff;
  const text = new TextDecoder(isBig ? "utf-16be" : name === "utf-16" ? "utf-16le" : name).decode(bytes);
  return text.replace(/\0+$/, "");
}
