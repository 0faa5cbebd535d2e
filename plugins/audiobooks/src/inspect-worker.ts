// The module that the scanning thread of `files` imports: see `FileFormat.inspector` in its contract.
import type { FormatInspector, InspectedFile, Inspection } from "@longbox/files/contract";
import { folderFormat } from "./formats.js";
import { isBookFolder } from "./inspecting/folder-names.js";
import { inspectFile } from "./inspecting/inspect-file.js";
import { inspectFolder } from "./inspecting/inspect-folder.js";
import { containerOf, type Container } from "./parsing/containers.js";
import { Unreadable } from "./parsing/source.js";

export const inspectors: Readonly<Record<string, FormatInspector>> = {
  m4b: fileInspector("mp4", isM4b),
  m4a: fileInspector("mp4", (file) => !isM4b(file)),
  mp3: fileInspector("mp3"),
  flac: fileInspector("flac"),
  opus: fileInspector("opus"),
  ogg: fileInspector("vorbis"),
  [folderFormat]: {
    matches: () => false,
    matchesFolder: isBookFolder,
    inspect: (folder) => unlessUnreadable(() => inspectFolder(folder)),
  },
};

type Beginning = Pick<InspectedFile, "name" | "head">;

/** By its name, else by the brand in its first box. */
function isM4b({ name, head }: Beginning): boolean {
  return /\.m4b$/i.test(name) || (!/\.m4a$/i.test(name) && head.toString("latin1", 8, 12) === "M4B ");
}

function fileInspector(container: Container, fits: (file: Beginning) => boolean = () => true): FormatInspector {
  return {
    matches: (file) => containerOf(file.head) === container && fits(file),
    inspect: (file) => unlessUnreadable(() => inspectFile(file, container)),
  };
}

function unlessUnreadable(inspect: () => Inspection): Inspection {
  try {
    return inspect();
  } catch (thrown) {
    if (!(thrown instanceof Unreadable)) throw thrown;
    return { measure: { kind: "seconds", seconds: 0 }, tagged: false, reading: {}, error: thrown.message };
  }
}
