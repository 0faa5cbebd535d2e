const declaredEncoding = /^<\?xml[^>]*\sencoding\s*=\s*["']([A-Za-z0-9._-]+)["']/;

/** The text of an XML file in whatever encoding it came, without its byte order mark. */
export function decodeXml(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  const declared = declaredEncoding.exec(bytes.toString("latin1", 0, 120))?.[1]?.toLowerCase() ?? "utf-8";
  // Some writers declare utf-16 and then write bytes: without a mark the declaration is not believed.
  if (declared.startsWith("utf-")) return new TextDecoder("utf-8").decode(bytes);
  try {
    return new TextDecoder(declared).decode(bytes);
  } catch {
    return new TextDecoder("utf-8").decode(bytes);
  }
}
