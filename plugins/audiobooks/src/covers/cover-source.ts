import { join } from "node:path";
import type { CoverSource } from "@longbox/collection/contract";
import type { FilesContent, OpenedFile } from "@longbox/files/contract";
import { imageTypeOf, type TaskThread } from "@longbox/sdk";
import type { Audiobooks, BookFiles } from "../audiobooks.js";
import type { CoverTasks } from "./cover-tasks.js";

const largestBytes = 16 * 1024 * 1024;

/** Where the image of a book is: a whole file, some bytes of one, or in the comments of one. */
interface ImagePlace {
  readonly path: string;
  readonly offset: number;
  /** Undefined for the whole file. */
  readonly length: number | undefined;
  readonly isComment?: boolean;
}

interface Sources {
  readonly audiobooks: Audiobooks;
  readonly files: Pick<FilesContent, "open">;
  readonly thread: TaskThread<CoverTasks>;
}

/** The picture inside a book, else the image beside it or in its folder. */
export function coverSource({ audiobooks, files, thread }: Sources): CoverSource {
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
        const bytes = await readImage(found.opened, found.place, thread);
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

function placesOf({ path, isFolder, parts, picture, pictureComment, image }: BookFiles): ImagePlace[] {
  const whole = (name: string): ImagePlace => ({ path: name, offset: 0, length: undefined });
  const inside = picture && { path: parts[picture.part]?.path ?? path, offset: picture.offset, length: picture.length };
  const beside = isFolder ? [] : ["jpg", "png"].map((ending) => path.replace(/\.[^.]*$/, `.${ending}`));
  return [
    ...(inside ? [inside] : []),
    ...(pictureComment === undefined ? [] : [{ ...whole(parts[pictureComment]?.path ?? path), isComment: true }]),
    ...(image === undefined ? [] : [whole(join(path, image))]),
    ...beside.map(whole),
  ];
}

async function readImage(
  { handle, sizeBytes }: OpenedFile,
  place: ImagePlace,
  thread: TaskThread<CoverTasks>,
): Promise<Uint8Array | undefined> {
  if (place.isComment) return thread.run("commentPicture", { descriptor: handle.fd, sizeBytes });
  const length = place.length ?? sizeBytes;
  if (length > largestBytes || place.offset + length > sizeBytes) return undefined;
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, place.offset);
  return buffer.subarray(0, bytesRead);
}
