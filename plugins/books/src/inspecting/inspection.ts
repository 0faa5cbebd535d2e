import type { FileReading, InspectedFile, Inspection } from "@longbox/files/contract";
import type { BookFormat } from "../formats/book-formats.js";
import { readBeside } from "./beside.js";
import { joinMetadata, noMetadata, type BookLook, type BookMetadata } from "./book-metadata.js";
import { readBookPath, type BookPath } from "./book-path.js";
import { readTwin } from "./twin.js";
import { protectedBy, UnreadableBook } from "./unreadable.js";

const measure = { kind: "fraction" } as const;

/** What the engine keeps of a book: its own words, those beside it, and what only its names say. */
export function inspectionOf(file: InspectedFile, format: BookFormat, look: BookLook): Inspection {
  const { protection } = look.details;
  // What lies beside the file is a person's later word.
  const beside = readBeside(file);
  const more = beside ?? readTwin(file, format);
  const metadata = more ? joinMetadata(more, look.metadata) : look.metadata;
  return {
    measure,
    tagged: metadata.title !== undefined,
    reading: readingOf(file, metadata),
    details: look.details,
    ...(protection !== undefined && { error: protectedBy(protection) }),
  };
}

/** A book that cannot be read is still listed under the names of its file and folders. */
export function unreadable(file: InspectedFile, thrown: unknown): Inspection {
  if (!(thrown instanceof UnreadableBook)) throw thrown;
  const metadata = readBeside(file) ?? noMetadata;
  return { measure, tagged: false, reading: readingOf(file, metadata), error: thrown.message };
}

function readingOf(file: InspectedFile, metadata: BookMetadata): FileReading {
  const authors = metadata.people.filter(({ role }) => role === "author").map(({ name }) => name);
  const path = readBookPath(file.folders, file.name, { title: metadata.title, authors });
  const series = seriesOf(metadata, path);
  const title = metadata.title ?? path.title;
  const author = authors[0] ?? path.author;
  const people =
    metadata.people.length > 0 || author === undefined ? metadata.people : [{ name: author, role: "author" }];
  return {
    title,
    number: series?.number ?? "",
    // Books of no series stand with the others of their author.
    series: {
      name: series?.name ?? author ?? title,
      publisher: metadata.publisher,
      foldersAbove: path.hasOwnFolder ? 1 : 0,
    },
    people,
    description: metadata.description,
    language: metadata.language,
    date: metadata.date,
    subjects: { subjects: metadata.subjects },
    ids: metadata.ids,
  };
}

function seriesOf(metadata: BookMetadata, path: BookPath): BookMetadata["series"] {
  if (metadata.series) return { ...metadata.series, number: metadata.series.number ?? path.number };
  return path.series === undefined ? undefined : { name: path.series, number: path.number };
}
