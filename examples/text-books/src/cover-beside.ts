import type { CoverSource } from "@longbox/collection/contract";
import type { FilesContent } from "@longbox/files/contract";
import { imageTypeOf } from "@longbox/sdk";

const largestBytes = 16 * 1024 * 1024;

/** A text has no cover of its own: `The Salt Road.jpg` is that of `The Salt Road.txt`. */
export function coverBeside(files: FilesContent): CoverSource {
  const open = async (issueId: number) => {
    const file = await files.findFile(issueId);
    return file?.format === "txt" ? files.open(file.path.replace(/\.txt$/i, ".jpg")) : undefined;
  };
  return {
    rank: 20,
    async findCover({ issueId }) {
      const opened = await open(issueId);
      try {
        if (opened?.kind !== "file" || opened.sizeBytes > largestBytes) return undefined;
        const bytes = await opened.handle.readFile();
        const contentType = imageTypeOf(bytes);
        return contentType === undefined ? undefined : { bytes, contentType };
      } finally {
        await opened?.close();
      }
    },
    async validator({ issueId }) {
      const opened = await open(issueId);
      await opened?.close();
      return opened?.kind === "file" ? opened.validator : undefined;
    },
  };
}
