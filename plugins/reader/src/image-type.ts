import { open } from "node:fs/promises";

const headBytes = 16;

/** The media type that the first bytes of an image tell, or undefined. */
export function imageTypeOf(head: Uint8Array): string | undefined {
  const text = Buffer.from(head.buffer, head.byteOffset, Math.min(head.byteLength, headBytes)).toString("latin1");
  if (text.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (text.startsWith("RIFF") && text.slice(8, 12) === "WEBP") return "image/webp";
  if (text.startsWith("\x89PNG")) return "image/png";
  if (text.startsWith("GIF8")) return "image/gif";
  if (text.slice(4, 12) === "ftypavif" || text.slice(4, 12) === "ftypavis") return "image/avif";
  if (text.startsWith("BM")) return "image/bmp";
  if (text.startsWith("\xff\x0a") || text.startsWith("\0\0\0\x0cJXL ")) return "image/jxl";
  return undefined;
}

/** The same for a file. */
export async function imageTypeOfFile(path: string): Promise<string | undefined> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
    return imageTypeOf(buffer.subarray(0, bytesRead));
  } finally {
    await file.close();
  }
}
