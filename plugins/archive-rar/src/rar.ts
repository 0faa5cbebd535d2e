import type { ArchiveEntry, ArchiveExtraction, ArchiveListing, ArchiveProblem } from "@longbox/comics/contract";
import { createExtractorFromFile, UnrarError, type FileHeader } from "node-unrar-js";
import { RarProblem } from "./rar-problem.js";

/** Lists a RAR, version 4 or 5. @throws {RarProblem} */
export async function list(path: string, mostEntries: number): Promise<ArchiveListing> {
  return translated(async () => {
    const extractor = await createExtractorFromFile({ filepath: path });
    const { arcHeader, fileHeaders } = extractor.getFileList();
    if (arcHeader.flags.volume) throw new RarProblem("unsupported");
    const entries: ArchiveEntry[] = [];
    let { solid } = arcHeader.flags;
    for (const { name, unpSize, flags } of fileHeaders) {
      if (flags.directory) continue;
      solid ||= flags.solid;
      entries.push({ name, sizeBytes: unpSize, encrypted: flags.encrypted || arcHeader.flags.headerEncrypted });
      if (entries.length > mostEntries) throw new RarProblem("too-large");
    }
    return { entries, solid };
  });
}

/** Writes the named entries as `0`, `1`, … whatever they are called. @throws {RarProblem} */
export async function extract({ path, names, folder, mostBytes }: ArchiveExtraction): Promise<void> {
  const numbers = new Map(names.map((name, index) => [name, index]));
  // The library changes hostile names before it asks what the file is to be called: the entry before it counts.
  let number: number | undefined;
  await translated(async () => {
    const extractor = await createExtractorFromFile({
      filepath: path,
      targetPath: folder,
      filenameTransform: () => String(number ?? "unasked"),
    });
    const written = countWritten(extractor, mostBytes);
    const { files } = extractor.extract({
      files: ({ name, flags }: FileHeader) => {
        number = flags.directory ? undefined : numbers.get(name);
        return number !== undefined;
      },
    });
    // The archive is unpacked while its files are counted.
    let unpacked = 0;
    for (const _file of files) {
      unpacked++;
      if (written.isTooMuch()) throw new RarProblem("too-large");
    }
    if (unpacked < numbers.size) throw new RarProblem("truncated");
  });
}

/** What the library calls for every part of a file that it unpacked. */
interface Writing {
  write(descriptor: number, address: number, sizeBytes: number): boolean;
}

/** Lets nothing be written beyond the limit. The library goes on to the end of the file all the same. */
function countWritten(extractor: object, mostBytes: number): { isTooMuch(): boolean } {
  const writing = extractor as Writing;
  const write = writing.write.bind(extractor);
  let bytes = 0;
  writing.write = (descriptor, address, sizeBytes) => {
    bytes += sizeBytes;
    return bytes <= mostBytes && write(descriptor, address, sizeBytes);
  };
  return { isTooMuch: () => bytes > mostBytes };
}

async function translated<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (thrown) {
    throw thrown instanceof RarProblem ? thrown : new RarProblem(problemOf(thrown), { cause: thrown });
  }
}

function problemOf(thrown: unknown): ArchiveProblem {
  const reason = thrown instanceof UnrarError ? thrown.reason : undefined;
  if (reason === "ERAR_MISSING_PASSWORD" || reason === "ERAR_BAD_PASSWORD") return "encrypted";
  return reason === "ERAR_NO_MEMORY" ? "too-large" : "damaged";
}
