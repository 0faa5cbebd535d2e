import type { InspectedFile } from "@longbox/files/contract";
import type { OddMethodReader } from "../archives/zip-archive.js";
import type { Unpacker } from "../archives/unpacking/unpacker.js";
import { readZipDirectory } from "../archives/zip-directory.js";
import { parseFile, tagsIn } from "./inspect-zip.js";
import { emptyProblem, type Look } from "./look.js";

/** Looks into an EPUB: its pages as its spine has them, and the tags in it. @throws {UnreadableArchive} */
export async function inspectEpub(file: InspectedFile, unzip: OddMethodReader, unpacker: Unpacker): Promise<Look> {
  const directory = parseFile(file, readZipDirectory(file.sizeBytes));
  const { pages, rightToLeft } = await unpacker.run({ kind: "list-epub", path: file.path }, file.signal);
  return {
    pages: pages.length,
    error: emptyProblem(pages.length),
    rightToLeft,
    ...(await tagsIn(file, directory, unzip)),
  };
}
