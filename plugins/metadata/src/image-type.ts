import { open } from "node:fs/promises";

const signatures: ReadonlyArray<readonly [string, string]> = [
  ["\xff\xd8\xff", "image/jpeg"],
  ["\x89PNG", "image/png"],
  ["GIF8", "image/gif"],
  ["RIFF", "image/webp"],
];

/** The media type of a kept image, by its first bytes. */
export async function imageTypeOf(path: string): Promise<string> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(12), 0, 12, 0);
  const head = buffer.subarray(0, bytesRead).toString("latin1");
  if (head.slice(4, 8) === "ftyp") return "image/avif";
  return signatures.find(([start]) => head.startsWith(start))?.[1] ?? "application/octet-stream";
}
