import { closeSync, constants, fstatSync, openSync, readdirSync, readSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import type { InspectedFile, Inspection } from "@longbox/files/contract";
import { readSmallFile } from "@longbox/sdk/light";
import type { AudioDetails } from "../details.js";
import { containerOf, readContainer } from "../parsing/containers.js";
import { Source, Unreadable } from "../parsing/source.js";
import { bookReading } from "../recording/book-reading.js";
import { joinChapters, marksOf } from "../recording/chapters.js";
import { readCueSheet } from "../recording/cue-sheet.js";
import type { AudioTags, Mark, Recording } from "../recording/recording.js";
import { byName, isDiscFolder, isSound } from "./folder-names.js";
import { largestCueBytes, partOf } from "./inspect-file.js";
import { withinLimit } from "./limited-details.js";

const mostParts = 2000;
const headBytes = 16_384;

interface Part {
  /** Below the folder of the book: `CD 1/03.mp3`. */
  readonly name: string;
  readonly sizeBytes: number;
  readonly recording: Recording;
}

/** A book that is a folder of files. @throws {Unreadable} */
export function inspectFolder({ path, signal }: Pick<InspectedFile, "path" | "signal">): Inspection {
  const names = soundsBelow(path);
  if (names.length === 0) throw new Unreadable("The folder holds no sound.");
  if (names.length > mostParts) throw new Unreadable("The book consists of too many files.");
  const parts = inOrder(
    names.map((name) => {
      signal.throwIfAborted();
      return readPart(path, name);
    }),
  );
  const tags = commonTags(parts);
  return {
    measure: { kind: "seconds", seconds: Math.round(lengthOf(parts) / 1000) },
    tagged: tags.album !== undefined,
    reading: bookReading(tags, { name: basename(path), folder: basename(dirname(path)) }),
    parts: parts.map(({ name }) => name),
    identity: identityOf(parts),
    details: withinLimit(detailsOf(path, parts)),
  };
}

/** A book that was moved keeps its names inside, and the lengths of its files. */
function identityOf(parts: readonly Part[]): Uint8Array {
  const told = parts.map(({ name, sizeBytes, recording }) => [name, sizeBytes, Math.round(recording.milliseconds)]);
  return Buffer.from(JSON.stringify(told));
}

function detailsOf(path: string, parts: readonly Part[]): AudioDetails {
  const sheets = cueMarks(path);
  const pictured = parts.findIndex(({ recording }) => recording.picture);
  const picture = parts[pictured]?.recording.picture;
  const commented = parts.findIndex(({ recording }) => recording.hasPictureComment);
  const image = coverImage(path);
  return {
    codec: parts[0]!.recording.codec,
    parts: parts.map(({ name, sizeBytes, recording }) => partOf(name, sizeBytes, recording)),
    chapters: joinChapters(
      parts.map(({ name, recording }) => ({
        milliseconds: recording.milliseconds,
        marks: sheets.get(basename(name)) ?? marksOf(recording),
        title: recording.tags.title ?? basename(name).replace(/\.[^.]*$/, ""),
      })),
    ),
    ...(picture && { picture: { part: pictured, ...picture } }),
    ...(!picture && commented >= 0 && { pictureComment: commented }),
    ...(image !== undefined && { image }),
  };
}

function lengthOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { recording }) => sum + recording.milliseconds, 0);
}

/** Files of the folder and of its discs, by name. */
function soundsBelow(path: string): string[] {
  const names: string[] = [];
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (entry.isFile() && isSound(entry.name)) names.push(entry.name);
    else if (entry.isDirectory() && isDiscFolder(entry.name))
      for (const inner of readdirSync(join(path, entry.name), { withFileTypes: true }))
        if (inner.isFile() && isSound(inner.name)) names.push(`${entry.name}/${inner.name}`);
  }
  return names.toSorted(byName.compare);
}

/** @throws {Unreadable} with the name of the file */
function readPart(folder: string, name: string): Part {
  const descriptor = openSync(join(folder, name), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new Unreadable("This is not a regular file.");
    const read = (offset: number, length: number) => {
      const bytes = Buffer.alloc(length);
      return bytes.subarray(0, readSync(descriptor, bytes, 0, length, offset));
    };
    const container = containerOf(read(0, headBytes));
    if (!container) throw new Unreadable("The file has none of the formats that can be read here.");
    return { name, sizeBytes: stats.size, recording: readContainer(container, new Source(stats.size, read)) };
  } catch (thrown) {
    throw thrown instanceof Unreadable ? new Unreadable(`${basename(name)}: ${thrown.message}`) : thrown;
  } finally {
    closeSync(descriptor);
  }
}

/** By disc and track where the tags number all parts differently, else by name. */
function inOrder(parts: readonly Part[]): readonly Part[] {
  const placeOf = ({ recording: { tags } }: Part) =>
    Number.parseInt(tags.disc ?? "1", 10) * 100_000 + Number.parseInt(tags.track ?? "", 10);
  const places = parts.map(placeOf);
  const areNumbered = places.every(Number.isFinite) && new Set(places).size === parts.length;
  return areNumbered ? parts.toSorted((a, b) => placeOf(a) - placeOf(b)) : parts;
}

/** Those of the first part; without the title, which is that of the part. */
function commonTags(parts: readonly Part[]): AudioTags {
  const { title: _, description: __, ...tags } = parts[0]!.recording.tags;
  const descriptions = new Set(parts.map(({ recording }) => recording.tags.description));
  const [description] = descriptions;
  return { ...tags, ...(descriptions.size === 1 && description !== undefined && { description }) };
}

function cueMarks(path: string): ReadonlyMap<string, readonly Mark[]> {
  const marks = new Map<string, readonly Mark[]>();
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    if (!entry.isFile() || !entry.name.toLowerCase().endsWith(".cue")) continue;
    const sheet = readSmallFile(join(path, entry.name), largestCueBytes);
    for (const [name, found] of sheet ? readCueSheet(sheet) : []) marks.set(name, found);
  }
  return marks;
}

/** `cover.jpg` or `folder.png`, else the only image. */
function coverImage(path: string): string | undefined {
  const images = readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isFile() && /^[^.].*\.(?:jpe?g|png|webp)$/i.test(entry.name))
    .map(({ name }) => name);
  return (
    images.find((name) => /^(?:cover|folder|front)\./i.test(name)) ?? (images.length === 1 ? images[0] : undefined)
  );
}
