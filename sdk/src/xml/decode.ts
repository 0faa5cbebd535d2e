import { XmlRefused } from "./limits.js";

/** Making a decoder takes longer than decoding a small document, and most documents are in UTF-8. */
const lenientUtf8 = new TextDecoder("utf-8");
const declaration = /^<\?xml[^>]{0,200}?\sencoding\s*=\s*["']([A-Za-z0-9._-]+)["']/;

/**
 * The text of an XML document, without its byte order mark. A mark decides, then the pattern of the first bytes, then
 * what the document says of itself; a declaration of UTF-16 without a mark is not believed.
 * @param strict - Refuses bytes that are no text in that encoding, and encodings that are not known
 * @throws {XmlRefused} `encoding`
 */
export function decodeXml(bytes: Uint8Array, options: { readonly strict?: boolean } = {}): string {
  const encoding = encodingOf(bytes);
  if (encoding === "utf-8" && !options.strict) return lenientUtf8.decode(bytes);
  try {
    return new TextDecoder(encoding, { fatal: options.strict ?? false }).decode(bytes);
  } catch (thrown) {
    if (options.strict)
      throw new XmlRefused("encoding", `The document is not a text in ${encoding}.`, { cause: thrown });
    return lenientUtf8.decode(bytes);
  }
}

function encodingOf(bytes: Uint8Array): string {
  // By index: taking an array apart asks its iterator.
  const first = bytes[0];
  const second = bytes[1];
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return "utf-16le";
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return "utf-16be";
  if (first === 0xef && second === 0xbb) return "utf-8";
  if (first !== 0x3c || second !== 0x3f) return "utf-8";
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 256)).toString("latin1");
  const declared = declaration.exec(start)?.[1]?.toLowerCase();
  return declared === undefined || declared.startsWith("utf-") ? "utf-8" : declared;
}
