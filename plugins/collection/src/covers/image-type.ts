import { open } from "node:fs/promises";

/** The media type of an image file, by its first bytes. */
export async function contentTypeOf(path: string): Promise<string> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, 0);
  return imageType(buffer.subarray(0, bytesRead));
}

function imageType(head: Buffer): string {
  const text = head.toString("latin1");
  if (text.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (text.startsWith("\x89PNG")) return "image/png";
  if (text.startsWith("GIF8")) return "image/gif";
  if (text.startsWith("RIFF") && text.slice(8, 12) === "WEBP") return "image/webp";
  if (text.slice(4, 8) === "ftyp" && /^(?:avif|avis)/.test(text.slice(8, 12))) return "image/avif";
  if (text.startsWith("BM")) return "image/bmp";
  return "application/octet-stream";
}
