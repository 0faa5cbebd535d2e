import { join } from "node:path";
import type { CoverSource } from "@longbox/collection/contract";
import type { FilesContent, OpenedFile } from "@longbox/files/contract";
import { imageTypeOf } from "@longbox/sdk";
import type { Audiobooks, BookFiles } from "./audiobooks.js";

const largestBytes = 16 * 1024 * 1024;

/** Where the image of a book is: a whole file, or some bytes of one. */
interface ImagePlace {
  readonly path: string;
  readonly offset: number;
  /** Undefined for the whole file. */
  readonly length: number | undefined;
}

/** The picture inside a book, else the image beside it or in its folder. */
export function coverSource(audiobooks: Audiobooks, files: Pick<FilesContent, "open">): CoverSource {
  const find = async (issueId: number) => {
    const book = (await audiobooks.findFiles([issueId])).get(issueId);
    for (const place of book ? placesOf(book) : []) {
      const opened = await files.open(place.path);
      if (opened?.kind === "file") return { place, opened };
      await opened?.close();
    }
    return undefined;
  };
  return {
    rank: 20,
    async findCover({ issueId }) {
      const found = await find(issueId);
      if (!found) return undefined;
      try {
        const bytes = await readImage(found.opened, found.place);
        const contentType = bytes && imageTypeOf(bytes);
        return bytes && contentType !== undefined ? { bytes, contentType } : undefined;
      } finally {
        await found.opened.close();
      }
    },
    async validator({ issueId }) {
      const found = await find(issueId);
      await found?.opened.close();
      return found && `${found.opened.validator}-${found.place.offset}`;
    },
  };
}

function placesOf({ path, isFolder, parts, picture, image }: BookFiles): ImagePlace[] {
  const whole = (name: string): ImagePlace => ({ path: name, offset: 0, length: undefined });
  const inside = picture && { path: parts[picture.part]?.path ?? path, offset: picture.offset, length: picture.length };
  const beside = isFolder ? [] : ["jpg", "png"].map((ending) => path.replace(/\.[^.]*$/, `.${ending}`));
  return [
    ...(inside ? [inside] : []),
    ...(image === undefined ? [] : [whole(join(path, image))]),
    ...beside.map(whole),
  ];
}

async function readImage({ handle, sizeBytes }: OpenedFile, place: ImagePlace): Promise<Uint8Array | undefined> {
  const length = place.length ?? sizeBytes;
  if (length > largestBytes || place.offset + length > sizeBytes) return undefined;
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, place.offset);
  return buffer.subarray(0, bytesRead);
}
