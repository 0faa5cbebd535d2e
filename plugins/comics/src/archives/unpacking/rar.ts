import { createExtractorFromFile, UnrarError, type FileHeader } from "node-unrar-js";
import { UnreadableArchive } from "../unreadable.js";
import type { ArchiveEntries } from "./tasks.js";

/** Lists a RAR, version 4 or 5. @throws {UnreadableArchive} */
export async function list(path: string): Promise<ArchiveEntries> {
  return translated(async () => {
    const extractor = await createExtractorFromFile({ filepath: path });
    const { arcHeader, fileHeaders } = extractor.getFileList();
    if (arcHeader.flags.volume) throw new UnreadableArchive("unsupported", "The archive is one part of several.");
    const headers = [...fileHeaders].filter((header) => !header.flags.directory);
    return {
      solid: arcHeader.flags.solid || headers.some((header) => header.flags.solid),
      entries: headers.map((header) => ({
        name: header.name,
        sizeBytes: header.unpSize,
        encrypted: header.flags.encrypted || arcHeader.flags.headerEncrypted,
      })),
    };
  });
}

/** Writes the named entries as `0`, `1`, … whatever they are called. @throws {UnreadableArchive} */
export async function extract(path: string, names: readonly string[], folder: string): Promise<void> {
  const numbers = new Map(names.map((name, index) => [name, index]));
  await translated(async () => {
    const extractor = await createExtractorFromFile({
      filepath: path,
      targetPath: folder,
      filenameTransform: (name) => String(numbers.get(name) ?? "unasked"),
    });
    const { files } = extractor.extract({
      files: ({ name, flags }: FileHeader) => !flags.directory && numbers.has(name),
    });
    // The archive is unpacked while its files are counted.
    let unpacked = 0;
    for (const _file of files) unpacked++;
    if (unpacked < numbers.size)
      throw new UnreadableArchive("damaged", "The archive is damaged: it ends before its last page.");
  });
}

async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof UnreadableArchive) throw thrown;
    const reason = thrown instanceof UnrarError ? thrown.reason : undefined;
    if (reason === "ERAR_MISSING_PASSWORD" || reason === "ERAR_BAD_PASSWORD")
      throw new UnreadableArchive("encrypted", "The archive is protected by a password.", { cause: thrown });
    if (reason === "ERAR_NO_MEMORY")
      throw new UnreadableArchive("too-large", "The archive needs too much memory to be unpacked.", { cause: thrown });
    throw new UnreadableArchive("damaged", "The archive is damaged: it cannot be unpacked.", { cause: thrown });
  }
}
