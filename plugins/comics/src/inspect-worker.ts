// The module that the scanning thread of `files` imports: see `FileFormat.inspector` in its contract.
import type { FormatInspector, InspectedFile, Inspection } from "@longbox/files/contract";
import { readSmallFile } from "@longbox/sdk/light";
import { largestTagsBytes, type OwnKind } from "./archives/archive.js";
import { ownKind } from "./archives/kinds.js";
import { startNestedThread } from "./archives/unpacking/nested-thread.js";
import { zipHelpBy } from "./archives/unpacking/zip-help.js";
import { Unpacker } from "./archives/unpacking/unpacker.js";
import { reasonOf } from "./archives/unreadable.js";
import { idWithoutReader, isImageFolder } from "./formats.js";
import { inspectFolder, inspectPacked, inspectPdf, inspectTar } from "./inspecting/inspect-others.js";
import { inspectEpub } from "./inspecting/inspect-epub.js";
import { inspectZip } from "./inspecting/inspect-zip.js";
import type { Look } from "./inspecting/look.js";
import { readingOf } from "./inspecting/reading.js";
import type { KindOfArchive } from "./readers/known-kinds.js";
import { NoReader } from "./readers/no-reader.js";
import { readersIn } from "./readers/readers-in-url.js";
import { readComicInfo } from "./tags/comic-info.js";
import { issueTags, type IssueTags } from "./tags/issue-tags.js";
import { mergeTags, readMetronInfo } from "./tags/metron-info.js";

/** No archive is worth a longer wait during a scan. */
const longestUnpackingMs = 25_000;

// A format that hangs or crashes takes only the thread below this one with it.
const unpacker = new Unpacker(() => startNestedThread(new URL("./unpack-worker.js", import.meta.url)), {
  taskMs: longestUnpackingMs,
  idleMs: 5000,
});
const readers = readersIn(import.meta.url);
const { unzip } = zipHelpBy(unpacker, () => readers);

export const inspectors: Readonly<Record<string, FormatInspector>> = {
  cbz: inspectorOf(isOwn("zip"), (file) => inspectZip(file, unzip, readers)),
  comicepub: inspectorOf(isOwn("epub"), (file) => inspectEpub(file, unzip, unpacker)),
  cbt: inspectorOf(isOwn("tar"), ({ path }) => inspectTar(path)),
  comicpdf: inspectorOf(isOwn("pdf"), (file) => inspectPdf(file, unpacker)),
  images: {
    ...inspectorOf(isOwn("folder"), ({ path }) => inspectFolder(path)),
    matchesFolder: (folder) => isImageFolder(folder, readers),
  },
  ...Object.fromEntries(
    readers.readers.map((reader) => [
      reader.format,
      inspectorOf(isPacked(reader), (file) => inspectPacked(file, reader.module, unpacker)),
    ]),
  ),
  ...Object.fromEntries(
    readers.missing.map((kind) => [
      idWithoutReader(kind),
      inspectorOf(isPacked(kind), () => Promise.reject(new NoReader(kind))),
    ]),
  ),
};

export { readSeriesJson as readFolder } from "./inspecting/read-folder.js";

function isOwn(kind: OwnKind): FormatInspector["matches"] {
  return ({ head }) => ownKind(head) === kind;
}

function isPacked(kind: KindOfArchive): FormatInspector["matches"] {
  return ({ head }) => ownKind(head) === undefined && readers.findKind(head)?.id === kind.id;
}

/** @param look - answers at once where it can: most files are read in less time than a promise takes */
function inspectorOf(
  matches: FormatInspector["matches"],
  look: (file: InspectedFile) => Look | Promise<Look>,
): FormatInspector {
  return {
    matches,
    inspect(file) {
      try {
        const seen = look(file);
        if (!(seen instanceof Promise)) return inspectionOf(file, seen);
        return seen.then((later) => inspectionOf(file, later)).catch((thrown: unknown) => failedLook(file, thrown));
      } catch (thrown) {
        return failedLook(file, thrown);
      }
    },
  };
}

/** Such a file is read as soon as there is a reader for it. */
function failedLook(file: InspectedFile, thrown: unknown): Inspection {
  const inspection = inspectionOf(file, { pages: 0, error: reasonOf(thrown), comicInfo: undefined });
  return thrown instanceof NoReader
    ? { ...inspection, awaitsFormat: true, details: { code: thrown.code } }
    : inspection;
}

function inspectionOf(file: InspectedFile, look: Look): Inspection {
  const tags = tagsOf(file, look);
  const details = {
    ...((tags?.rightToLeft ?? look.rightToLeft) && { rightToLeft: true }),
    ...(tags?.frontCover !== undefined && tags.frontCover < look.pages && { cover: tags.frontCover }),
  };
  return {
    measure: { kind: "pages", pages: look.pages },
    tagged: tags !== undefined,
    reading: tags ? readingOf(tags) : {},
    error: look.error,
    ...(look.identity && { identity: look.identity }),
    ...(Object.keys(details).length > 0 && { details }),
  };
}

/** Tags beside the file are a person's later word, so they come before those inside. */
function tagsOf({ companions }: InspectedFile, look: Look): IssueTags | undefined {
  const beside = companions[0] === undefined ? undefined : parseTags(readSmallFile(companions[0], largestTagsBytes));
  return beside ?? mergeTags(parseTags(look.comicInfo), look.metronInfo && readMetronInfo(look.metronInfo));
}

function parseTags(bytes: Buffer | undefined): IssueTags | undefined {
  const info = bytes && readComicInfo(bytes);
  return info && issueTags(info);
}
