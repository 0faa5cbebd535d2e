import { NotFound, type Content } from "@longbox/sdk";
import type { FilesContent, SendableFile } from "../contract.js";

const chunkBytes = 256 * 1024;

/** A file that is opened again for every range that is sent, so that an unread answer keeps no file open. */
export async function sendable(
  files: Pick<FilesContent, "open">,
  { path, contentType }: { readonly path: string; readonly contentType: string },
): Promise<SendableFile | undefined> {
  const opened = await files.open(path);
  if (!opened) return undefined;
  const { kind, sizeBytes, modifiedAt, validator } = opened;
  await opened.close();
  if (kind !== "file") return undefined;
  const content: Content = {
    kind: "ranges",
    sizeBytes,
    contentType,
    read: (start, end) => readRange(files, { path, validator, start, end }),
  };
  return { content, validator, lastModified: modifiedAt };
}

async function* readRange(
  files: Pick<FilesContent, "open">,
  range: { readonly path: string; readonly validator: string; readonly start: number; readonly end: number },
): AsyncGenerator<Uint8Array> {
  const opened = await files.open(range.path);
  try {
    if (opened?.validator !== range.validator)
      throw new NotFound("files/changed-while-sent", "The file was changed or removed while it was asked for.");
    const { start, end } = range;
    yield* opened.handle.createReadStream({ start, end, highWaterMark: chunkBytes, autoClose: false });
  } finally {
    await opened?.close();
  }
}
