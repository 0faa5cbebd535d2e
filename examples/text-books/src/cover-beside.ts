import { stat } from "node:fs/promises";
import type { CoverSource } from "@longbox/collection/contract";
import type { FilesContent } from "@longbox/files/contract";
import { imageTypeOf, readFileBounded } from "@longbox/sdk";

const largestBytes = 16 * 1024 * 1024;

/** A text has no cover of its own: `The Salt Road.jpg` is that of `The Salt Road.txt`. */
export function coverBeside(files: FilesContent): CoverSource {
  const pathOf = async (issueId: number) => {
    const file = await files.findFile(issueId);
    return file?.format === "txt" ? file.path.replace(/\.txt$/i, ".jpg") : undefined;
  };
  return {
    rank: 20,
    async findCover({ issueId }) {
      const path = await pathOf(issueId);
      if (path === undefined) return undefined;
      const bytes = await readFileBounded(path, largestBytes);
      const contentType = imageTypeOf(bytes);
      return contentType === undefined ? undefined : { bytes, contentType };
    },
    async validator({ issueId }) {
      const path = await pathOf(issueId);
      const found = path === undefined ? undefined : await stat(path).catch(() => undefined);
      return found?.isFile() ? `${found.size}-${found.mtimeMs}` : undefined;
    },
  };
}
