import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { CollectionContract, CoverSource } from "@longbox/collection/contract";
import type { FilesContent, FilesEngine, OpenedFile } from "@longbox/files/contract";
import { imageTypeOf, type TaskThread } from "@longbox/sdk";
import { detailsSchema, type CoverPlace } from "../details.js";
import { rankOf } from "../formats/book-formats.js";
import { stemOf } from "../formats/book-names.js";
import { isOneBook } from "../inspecting/beside.js";
import type { CoverTasks } from "./cover-tasks.js";
import { readEmbedded } from "./embedded-cover.js";

interface Sources {
  readonly library: CollectionContract;
  readonly files: FilesContent;
  readonly engine: FilesEngine;
  readonly thread: TaskThread<CoverTasks>;
}

interface Image {
  readonly bytes: Uint8Array;
  readonly contentType: string;
}

/** Where a book's cover can be: in a file, or the whole of a file beside it. */
interface Candidate {
  readonly path: string;
  readonly format: string | undefined;
  readonly place: CoverPlace | undefined;
}

const largestBytes = 32 * 1024 * 1024;
const mostBeside = 200;
const images = ["jpg", "jpeg", "png"];

/**
 * Covers of books: beside the book under its name, in the book, or `cover.jpg` in a folder that holds one book only.
 */
export function coverSource(sources: Sources): CoverSource {
  return {
    rank: 12,
    async findCover({ issueId }) {
      for await (const { candidate, opened } of openCandidates(sources, issueId)) {
        const image = await imageOf(sources, candidate, opened);
        if (image) return image;
      }
      return undefined;
    },
    async validator({ issueId }) {
      for await (const { candidate, opened } of openCandidates(sources, issueId))
        return `${opened.validator}-${JSON.stringify(candidate.place ?? "")}`;
      return undefined;
    },
  };
}

/** Those that are there, each open until the next one is asked for. */
async function* openCandidates(
  sources: Sources,
  issueId: number,
): AsyncGenerator<{ candidate: Candidate; opened: OpenedFile }> {
  for (const candidate of await listCandidates(sources, issueId)) {
    const opened = await sources.files.open(candidate.path);
    try {
      if (opened?.kind === "file") yield { candidate, opened };
    } finally {
      await opened?.close();
    }
  }
}

async function listCandidates({ library, files, engine }: Sources, issueId: number): Promise<Candidate[]> {
  const holdings = (await library.listHoldings(issueId))
    .filter(({ format }) => rankOf(format) < rankOf(undefined))
    .toSorted((one, other) => rankOf(one.format) - rankOf(other.format));
  const records = await engine.findRead(holdings.map(({ path }) => path));
  const beside = holdings.flatMap(({ path }) => images.map((ending) => `${stemOf(path)}.${ending}`));
  const embedded = records
    .toSorted((one, other) => rankOf(one.format) - rankOf(other.format))
    .flatMap(({ path, format, details }) => {
      const place = detailsSchema.safeParse(details).data?.cover;
      return place ? [{ path, format, place }] : [];
    });
  const folders = embedded.length > 0 ? [] : await foldersOfOneBook(files, holdings);
  const inFolders = folders.flatMap((folder) => images.map((ending) => join(folder, `cover.${ending}`)));
  const asFile = (path: string): Candidate => ({ path, format: undefined, place: undefined });
  return [...beside.map(asFile), ...embedded, ...inFolders.map(asFile)];
}

async function foldersOfOneBook(
  files: FilesContent,
  holdings: ReadonlyArray<{ readonly path: string }>,
): Promise<string[]> {
  const found: string[] = [];
  for (const folder of new Set(holdings.map(({ path }) => dirname(path)))) {
    const opened = await files.open(folder);
    if (opened?.kind !== "folder") continue;
    try {
      const names = await readdir(opened.path);
      if (names.length <= mostBeside && isOneBook(names)) found.push(folder);
    } finally {
      await opened.close();
    }
  }
  return found;
}

async function imageOf({ thread }: Sources, candidate: Candidate, opened: OpenedFile): Promise<Image | undefined> {
  const { place, format } = candidate;
  const whole = { kind: "bytes", offset: 0, length: opened.sizeBytes } as const;
  if (!place && (opened.sizeBytes === 0 || opened.sizeBytes > largestBytes)) return undefined;
  const bytes = await readEmbedded(opened, { place: place ?? whole, isPacked: format === "fbz" }, thread);
  const contentType = bytes && imageTypeOf(bytes);
  return bytes && contentType !== undefined ? { bytes, contentType } : undefined;
}
