import { createWriteStream } from "node:fs";
import { mkdir, rename, rm, rmdir } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { CollectionContract } from "@longbox/collection/contract";
import type { ImagingContract } from "@longbox/imaging/contract";
import { Conflict, type OptionalCapability, type StoredDocument } from "@longbox/sdk";
import { ZipFile } from "yazl";
import { z } from "zod";
import { escapeXml } from "../tags/escape-xml.js";
import { drawIssue, pageSize } from "./sample-pages.js";
import { stories, type Story } from "./stories.js";

/** What was written, so that exactly that can be deleted again. */
export const samplesDocument = z.object({ folder: z.string().optional(), files: z.array(z.string()).default([]) });
export type Samples = z.output<typeof samplesDocument>;

const folderName = "Longbox sample comics";

export interface SampleParts {
  readonly imaging: OptionalCapability<ImagingContract>;
  readonly collection: Pick<CollectionContract, "removeFiles">;
  readonly kept: StoredDocument<Samples>;
}

/** The comics without words that the server draws itself, for trying the interface before there are others. */
export class SampleComics {
  #work: Promise<unknown> = Promise.resolve();

  constructor(private readonly parts: SampleParts) {}

  get current(): Samples {
    return this.parts.kept.read();
  }

  /**
   * Draws them into a new folder.
   * @param parent - Where the folder is made; the home folder of the server by default
   */
  make(parent: string | undefined, signal: AbortSignal): Promise<Samples> {
    return this.#next(() => this.#make(join(parent ?? homedir(), folderName), signal));
  }

  /** Deletes the files that were drawn, and their folders where nothing else is in them. */
  remove(): Promise<Samples> {
    return this.#next(() => this.#remove());
  }

  /** One after the other: what is written must be known before it is deleted. */
  #next<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#work.then(work);
    // The caller is told of a failure; the next one begins all the same.
    this.#work = done.catch(() => undefined);
    return done;
  }

  async #make(folder: string, signal: AbortSignal): Promise<Samples> {
    const { imaging, kept } = this.parts;
    if (!imaging.available())
      throw new Conflict("comics/nothing-draws", "The plugin Imaging draws the sample comics, and it is switched off.");
    if (this.current.folder !== undefined) return this.current;
    const files = stories.flatMap((story) =>
      Array.from({ length: story.issues }, (_, index) => ({
        story,
        issue: index + 1,
        path: pathOf(folder, story, index + 1),
      })),
    );
    // Noted before anything is written, so that a stop in the middle leaves nothing that cannot be deleted.
    await kept.update(() => ({ folder, files: files.map(({ path }) => path) }));
    try {
      for (const { story, issue, path } of files) {
        const drawings = drawIssue(story, issue).map((svg) => imaging.use.draw({ svg, ...pageSize }, signal));
        await writeComic(path, tagsOf(story, issue), await Promise.all(drawings));
      }
    } catch (thrown) {
      await this.#remove();
      throw thrown;
    }
    return this.current;
  }

  async #remove(): Promise<Samples> {
    const { folder, files } = this.current;
    if (folder === undefined) return this.current;
    await Promise.all(files.flatMap((path) => [rm(path, { force: true }), rm(partial(path), { force: true })]));
    await this.parts.collection.removeFiles(files);
    for (const empty of [...new Set(files.map((path) => dirname(path))), folder]) await removeEmpty(empty);
    await this.parts.kept.update(() => ({ files: [] }));
    return this.current;
  }
}

function pathOf(folder: string, { title }: Story, issue: number): string {
  return join(folder, title, `${title} ${String(issue).padStart(3, "0")}.cbz`);
}

function partial(path: string): string {
  return `${path}.partial`;
}

/** What a user put there keeps the folder. */
async function removeEmpty(folder: string): Promise<void> {
  await rmdir(folder).catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code !== "ENOTEMPTY" && thrown.code !== "ENOENT" && thrown.code !== "EEXIST") throw thrown;
  });
}

async function writeComic(
  path: string,
  tags: string,
  pages: ReadonlyArray<{ readonly bytes: Uint8Array }>,
): Promise<void> {
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(tags), "ComicInfo.xml", { compress: true });
  for (const [index, { bytes }] of pages.entries())
    zip.addBuffer(Buffer.from(bytes), `${String(index + 1).padStart(2, "0")}.webp`, { compress: false });
  zip.end();
  await mkdir(dirname(path), { recursive: true });
  // A scan that comes by must not read half a comic.
  await pipeline(zip.outputStream, createWriteStream(partial(path)));
  await rename(partial(path), path);
}

function tagsOf({ title, summary, issues }: Story, issue: number): string {
  const fields = {
    Series: title,
    Number: issue,
    Count: issues,
    Volume: 2026,
    Summary: summary,
    Year: 2026,
    Publisher: "Longbox",
    Writer: "Longbox",
    Notes: "Drawn by the server. Free of all rights (CC0).",
  };
  const elements = Object.entries(fields).map(([name, value]) => `<${name}>${escapeXml(String(value))}</${name}>`);
  return `<?xml version="1.0" encoding="utf-8"?>\n<ComicInfo>${elements.join("")}</ComicInfo>\n`;
}
