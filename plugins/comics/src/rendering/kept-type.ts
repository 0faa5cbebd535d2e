import { open } from "node:fs/promises";
import { imageHeadBytes, imageTypeOf } from "@longbox/sdk";

/** The media type of a kept rendering: an image that could not be changed is kept as it is. */
export async function keptType(path: string): Promise<string> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(imageHeadBytes), 0, imageHeadBytes, 0);
  return imageTypeOf(buffer.subarray(0, bytesRead)) ?? "application/octet-stream";
}
