import { basename, join } from "node:path";
import type { CollectionContract, Issue } from "@longbox/collection/contract";
import type { FilesEngine, ReadRecord } from "@longbox/files/contract";
import type { Viewer } from "@longbox/sdk";
import { NoSuchAudiobook } from "./audiobook-errors.js";
import { detailsSchema, type AudioDetails } from "./details.js";
import { RememberedFiles } from "./sending/remembered-files.js";
import { audiobookType, folderFormat, formatOfName } from "./formats.js";

/** One file of a book. */
export interface BookPart {
  readonly path: string;
  readonly name: string;
  readonly contentType: string;
  readonly sizeBytes: number;
  /** In the timeline of the book, in seconds. */
  readonly start: number;
  readonly end: number;
  /** Of an MP3 file, the bytes that are joined with those of other files. */
  readonly frames: { readonly offset: number; readonly length: number } | undefined;
}

/** Times in seconds. */
export interface Chapter {
  readonly title: string;
  readonly start: number;
  readonly end: number;
}

/** The file or the folder that a book is played from. */
export interface BookFiles {
  readonly path: string;
  readonly isFolder: boolean;
  /** `m4b`, `mp3`: of a folder, that of its files. */
  readonly format: string;
  readonly codec: string;
  readonly sizeBytes: number;
  /** When the last scan found it changed. */
  readonly modifiedMs: number;
  readonly parts: readonly BookPart[];
  readonly duration: number;
  readonly chapters: readonly Chapter[];
  readonly picture: AudioDetails["picture"];
  readonly pictureComment: AudioDetails["pictureComment"];
  readonly image: string | undefined;
}

interface Sources {
  readonly library: CollectionContract;
  readonly engine: FilesEngine;
}

/** Audiobooks and their files, as the last scan read them. */
export class Audiobooks {
  readonly remembered = new RememberedFiles<BookFiles>(async (issueId) =>
    (await this.findFiles([issueId])).get(issueId),
  );

  constructor(private readonly sources: Sources) {}

  /** @throws {NoSuchAudiobook} also when it is hidden from the viewer */
  async getIssue(issueId: number, viewer: Viewer): Promise<Issue> {
    const [issue] = await this.sources.library.findIssues([issueId], viewer);
    // Ids of issues that were merged into others find those.
    if (!issue || issue.type !== audiobookType) throw new NoSuchAudiobook(issueId);
    return issue;
  }

  /** Whether there is an audiobook that is not hidden from the viewer. */
  async mayKnow(issueId: number, viewer: Viewer): Promise<boolean> {
    const [issue] = await this.sources.library.findIssues([issueId], viewer);
    return issue?.type === audiobookType;
  }

  /** @throws {NoSuchAudiobook} also when no file of it can be played */
  async get(issueId: number, viewer: Viewer): Promise<{ readonly issue: Issue; readonly files: BookFiles }> {
    const issue = await this.getIssue(issueId, viewer);
    const files = issue.owned ? await this.remembered.get(issue.id) : undefined;
    if (!files) throw new NoSuchAudiobook(issueId);
    return { issue, files };
  }

  /** The files of those of these issues that can be played. */
  async findFiles(issueIds: readonly number[]): Promise<ReadonlyMap<number, BookFiles>> {
    const { library, engine } = this.sources;
    const holdings = (await library.findHoldings(issueIds)).filter(({ valid }) => valid);
    const records = new Map(
      (await engine.findRead(holdings.map(({ path }) => path))).map((record) => [record.path, record]),
    );
    const found = new Map<number, BookFiles>();
    for (const { issueId, path } of holdings) {
      const record = records.get(path);
      const files = record && bookFiles(record);
      if (files && !found.has(issueId)) found.set(issueId, files);
    }
    return found;
  }
}

function bookFiles(record: ReadRecord): BookFiles | undefined {
  const details = detailsSchema.safeParse(record.details);
  if (!details.success || record.format === undefined) return undefined;
  const { codec, parts, chapters, picture, pictureComment, image } = details.data;
  const timed = partsOf(record.path, parts);
  const duration = timed.at(-1)!.end;
  const isFolder = record.format === folderFormat;
  return {
    path: record.path,
    isFolder,
    format: isFolder ? (formatOfName(parts[0]!.name)?.id ?? record.format) : record.format,
    codec,
    sizeBytes: record.sizeBytes,
    modifiedMs: record.modifiedMs,
    parts: timed,
    duration,
    chapters: chapters.map(([startMs, title], index) => ({
      title,
      start: startMs / 1000,
      end: (chapters[index + 1]?.[0] ?? duration * 1000) / 1000,
    })),
    picture,
    pictureComment,
    image,
  };
}

function partsOf(path: string, parts: AudioDetails["parts"]): BookPart[] {
  let startMs = 0;
  return parts.map(({ name, sizeBytes, milliseconds, start, length }) => {
    const begin = startMs;
    startMs += milliseconds;
    const ownPath = name === "" ? path : join(path, name);
    return {
      path: ownPath,
      name: basename(ownPath),
      contentType: formatOfName(ownPath)?.contentType ?? "application/octet-stream",
      sizeBytes,
      start: begin / 1000,
      end: startMs / 1000,
      frames: start === undefined || length === undefined ? undefined : { offset: start, length },
    };
  });
}
