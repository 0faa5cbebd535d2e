import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { isLongboxError, NotFound, type Logger, type PluginSettings, type Releasable, type Viewer } from "@longbox/sdk";
import type { CollectionContract, Holding, Issue, IssueDetail, Library, Series } from "@longbox/collection/contract";
import type { Unpacker } from "../archives/unpacking/unpacker.js";
import { reasonOf, UnreadableArchive } from "../archives/unreadable.js";
import type { FilesContent, FilesEngine, OpenedFile } from "@longbox/files/contract";
import { FileGone } from "../pages/file-changed.js";
import type { ReaderSet } from "../readers/reader-set.js";
import type { ComicsSettings } from "../settings.js";
import type { ComicInfo } from "../tags/comic-info.js";
import { sidecarName } from "../tags/sidecar.js";
import { comicInfoText, fieldsOf } from "./comic-info-writing.js";

export interface TaggingParts {
  readonly collection: CollectionContract;
  readonly engine: FilesEngine;
  readonly files: Pick<FilesContent, "open">;
  readonly settings: PluginSettings<ComicsSettings>;
  /** The thread that reads former tags and writes new ones. */
  readonly rewriting: Unpacker;
  readonly readers: () => ReaderSet;
  readonly log: Logger;
}

interface TagTask {
  readonly series: Series;
  readonly issue: Issue;
  readonly detail: IssueDetail | undefined;
  readonly holding: Holding;
  readonly library: Library;
}

/** What came of writing the tags of a series. */
export interface TagOutcome {
  readonly written: number;
  readonly errors: readonly string[];
}

export interface TagOptions {
  readonly untaggedOnly?: boolean;
  readonly signal: AbortSignal;
  readonly progress?: (done: number, total: number) => void;
}

const triedAgainMs = 1000;

/** Writes what the collection knows into the files, or beside them. */
export class Tagging implements Releasable {
  #writing: Promise<unknown> = Promise.resolve();

  constructor(private readonly parts: TaggingParts) {}

  /** Waits for the file that is being written. */
  async release(): Promise<void> {
    // The caller that writes gets the failure.
    await this.#writing.catch(() => undefined);
  }

  /** How many files of a series would be written. @throws {NotFound} `comics/series-not-found` */
  async countFiles(seriesId: number, viewer: Viewer): Promise<number> {
    return (await this.#tasksOf(seriesId, viewer)).length;
  }

  /** Waits for the folders, and ends once what was written is read again. @throws {NotFound} `comics/series-not-found` */
  async tagSeries(seriesId: number, viewer: Viewer, options: TagOptions): Promise<TagOutcome> {
    const { written, errors } = await this.#whenFree(options.signal, async () => {
      const tasks = await this.#tasksOf(seriesId, viewer);
      const chosen = tasks.filter(({ holding }) => !options.untaggedOnly || !holding.tagged);
      return this.#writeAll(chosen, options);
    });
    await this.#rescan(written);
    return { written: written.length, errors };
  }

  /** A job has time: it waits until the folders are free, however long others are at work. */
  async #whenFree<T>(signal: AbortSignal, perform: () => Promise<T>): Promise<T> {
    for (;;) {
      signal.throwIfAborted();
      try {
        const written = this.parts.engine.exclusively("Tags are being written", perform);
        this.#writing = written;
        return await written;
      } catch (thrown) {
        if (!isLongboxError(thrown) || thrown.code !== "files/busy") throw thrown;
        await setTimeout(triedAgainMs, undefined, { signal });
      }
    }
  }

  async #tasksOf(seriesId: number, viewer: Viewer): Promise<TagTask[]> {
    const { collection } = this.parts;
    const series = await collection.findSeries(seriesId, viewer);
    if (!series) throw new NotFound("comics/series-not-found", `There is no series ${seriesId}.`);
    const libraries = await collection.listLibraries(viewer);
    const issues = (await collection.listIssues(seriesId, viewer)).filter((issue) => issue.owned);
    const details = new Map(
      (await collection.findIssueDetails(issues.map((issue) => issue.id))).map((detail) => [detail.issueId, detail]),
    );
    const tasks: TagTask[] = [];
    for (const issue of issues) {
      for (const holding of await collection.listHoldings(issue.id)) {
        const library = libraries.find(({ rootFolder }) => holding.path.startsWith(`${rootFolder}/`));
        if (library && holding.valid) tasks.push({ series, issue, detail: details.get(issue.id), holding, library });
      }
    }
    return tasks;
  }

  async #writeAll(
    tasks: readonly TagTask[],
    { signal, progress }: TagOptions,
  ): Promise<{ written: TagTask[]; errors: string[] }> {
    const written: TagTask[] = [];
    const errors: string[] = [];
    progress?.(0, tasks.length);
    for (const [index, task] of tasks.entries()) {
      if (signal.aborted) break;
      try {
        await this.#write(task);
        written.push(task);
      } catch (thrown) {
        errors.push(`${task.holding.name}: ${reasonOf(thrown)}`);
        this.parts.log.warn("A file could not be tagged", { file: task.holding.path, error: thrown });
      }
      progress?.(index + 1, tasks.length);
    }
    return { written, errors };
  }

  async #write(task: TagTask): Promise<void> {
    const opened = await this.parts.files.open(task.holding.path);
    if (!opened) throw new FileGone();
    try {
      await this.#writeInto(opened, task);
    } finally {
      await opened.close();
    }
  }

  async #writeInto(opened: OpenedFile, { series, issue, detail, holding, library }: TagTask): Promise<void> {
    const isFolder = opened.kind === "folder";
    const former = await this.#formerTags(opened, holding.path);
    const xml = Buffer.from(comicInfoText(fieldsOf({ series, issue, detail, pages: holding.pages }, former), former));
    const beside = library.tagPlacement === "sidecar" || this.parts.settings.current.tagPlacement === "sidecar";
    if (isFolder)
      return this.parts.engine.replaceFile(join(holding.path, "ComicInfo.xml"), async (file) => file.writeFile(xml));
    if (!beside && (await this.#embed(opened, holding.path, xml))) return;
    await this.parts.engine.replaceFile(sidecarName(holding.path), async (file) => file.writeFile(xml));
  }

  /** @returns false when the format takes no tags, so that they go beside it */
  async #embed({ path: real }: OpenedFile, path: string, xml: Buffer): Promise<boolean> {
    try {
      await this.parts.engine.replaceFile(path, async (file) => {
        await this.parts.rewriting.run({ kind: "write-tags", path: real, descriptor: file.fd, xml });
      });
      return true;
    } catch (thrown) {
      if (thrown instanceof UnreadableArchive && (thrown.reason === "unsupported" || thrown.reason === "truncated"))
        return false;
      throw thrown;
    }
  }

  /** The current tags of the file, so that values that are not known otherwise are kept. */
  async #formerTags(opened: OpenedFile, path: string): Promise<ComicInfo | undefined> {
    const isFolder = opened.kind === "folder";
    const beside = await this.parts.files.open(isFolder ? join(path, "ComicInfo.xml") : sidecarName(path));
    try {
      const isBeside = beside?.kind === "file";
      if (isFolder && !isBeside) return undefined;
      const [from, read] = isBeside ? (["xml", beside] as const) : (["zip", opened] as const);
      const { readers } = this.parts.readers();
      return await this.parts.rewriting.run({ kind: "read-tags", path: read.path, from, readers });
    } catch (thrown) {
      // Tags that can be read with another reader must not be lost.
      if (thrown instanceof UnreadableArchive && thrown.reason !== "no-reader") return undefined;
      throw thrown;
    } finally {
      await beside?.close();
    }
  }

  async #rescan(written: readonly TagTask[]): Promise<void> {
    await this.parts.engine.rescan(written.map(({ holding }) => holding.path));
  }
}
