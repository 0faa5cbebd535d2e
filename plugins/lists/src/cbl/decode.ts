import { BadField } from "../errors.js";

const declaration = /^<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z0-9._-]+)["']/;

/** The text of an XML document, without its byte order mark. @throws {BadField} when its bytes are not what it says they are */
export function decodeXml(bytes: Uint8Array): string {
  const encoding = encodingOf(bytes);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new BadField("body", `is not a text in ${encoding}`);
  }
}

/** A mark decides, then the pattern of the first bytes, then what the document says of itself. */
function encodingOf(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return "utf-16le";
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return "utf-16be";
  if (first === 0xef && second === 0xbb) return "utf-8";
  const declared = declaration.exec(Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 200)).toString("latin1"))?.[1]?.toLowerCase();
  // Whoever declares UTF-16 and writes single bytes wrote the declaration wrong.
  return declared === undefined || declared.startsWith("utf-16") ? "utf-8" : declared;
}
