import { basename, dirname } from "node:path";
import type { InspectedFile, Inspection } from "@longbox/files/contract";
import { readSmallFile } from "@longbox/sdk/light";
import type { AudioDetails } from "../details.js";
import { readContainer, type Container } from "../parsing/containers.js";
import { Source } from "../parsing/source.js";
import { bookReading } from "../recording/book-reading.js";
import { joinChapters, marksOf } from "../recording/chapters.js";
import { readCueSheet } from "../recording/cue-sheet.js";
import type { Mark, Recording } from "../recording/recording.js";
import { withinLimit } from "./limited-details.js";

export const largestCueBytes = 1024 * 1024;

/** A book of one file. @throws {Unreadable} */
export function inspectFile(file: InspectedFile, container: Container): Inspection {
  const recording = readContainer(container, new Source(file.sizeBytes, (offset, length) => file.read(offset, length)));
  const name = file.name.replace(/\.[^.]*$/, "");
  const title = recording.tags.title ?? name;
  const { milliseconds, picture } = recording;
  const marks = [marksOf(recording), cueMarks(file)].find((some) => some.length > 0) ?? [];
  const details: AudioDetails = {
    codec: recording.codec,
    parts: [partOf("", file.sizeBytes, recording)],
    chapters: joinChapters([{ milliseconds, marks, title }]),
    ...(picture && { picture: { part: 0, ...picture } }),
    ...(!picture && recording.hasPictureComment && { pictureComment: 0 }),
  };
  return {
    measure: { kind: "seconds", seconds: Math.round(milliseconds / 1000) },
    tagged: recording.tags.album !== undefined || recording.tags.title !== undefined,
    reading: bookReading(recording.tags, { name, folder: basename(dirname(file.path)) }),
    details: withinLimit(details),
  };
}

export function partOf(name: string, sizeBytes: number, recording: Recording): AudioDetails["parts"][number] {
  const { frames } = recording;
  const milliseconds = Math.round(recording.milliseconds);
  return { name, sizeBytes, milliseconds, ...(frames && { start: frames.offset, length: frames.length }) };
}

/** A cue sheet beside the file that is about one file is about this one. */
function cueMarks({ companions }: InspectedFile): readonly Mark[] {
  const path = companions.find((companion) => companion.toLowerCase().endsWith(".cue"));
  const sheet = path === undefined ? undefined : readSmallFile(path, largestCueBytes);
  const files = sheet === undefined ? [] : [...readCueSheet(sheet).values()];
  return files.length === 1 ? files[0]! : [];
}
