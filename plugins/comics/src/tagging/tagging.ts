import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { isLongboxError, NotFound, type Logger, type PluginSettings, type Releasable, type Viewer } from "@longbox/sdk";
import type { CollectionContract, Holding, Issue, IssueDetail, Library, Series } from "@longbox/collection/contract";
import type { FormerTags, TagFile } from "../archives/unpacking/tasks.js";
import type { Unpacker } from "../archives/unpacking/unpacker.js";
import { reasonOf, UnreadableArchive } from "../archives/unreadable.js";
import type { FilesContent, FilesEngine, OpenedFile } from "@longbox/files/contract";
import { FileGone } from "../pages/file-changed.js";
import type { ReaderSet } from "../readers/reader-set.js";
import type { ComicsSettings } from "../settings.js";
import { sidecarName } from "../tags/sidecar.js";
import { tagFiles } from "./tag-files.js";

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
const noTags: FormerTags = { comic: undefined, metron: undefined };

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

  /**
   * Waits for the folders, and ends once what was written is read again.
   * @throws {NotFound} `comics/series-not-found`
   */
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
        // Stopped: its thread was ended with the plugin, which is not the fault of the file.
        if (signal.aborted) break;
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
    const { tagPlacement, tagFormat } = this.parts.settings.current;
    const beside = library.tagPlacement === "sidecar" || tagPlacement === "sidecar";
    const former = await this.#formerTags(opened, holding.path, beside);
    const tags = tagFiles({ series, issue, detail, pages: holding.pages }, former);
    const chosen = tags.filter(({ format, isThere }) => isThere || tagFormat === "both" || tagFormat === format);
    if (opened.kind === "folder") {
      for (const { name, xml } of chosen) await this.#replace(join(holding.path, name), xml());
      return;
    }
    const embedded = chosen.map(({ name, xml }) => ({ name, xml: xml() }));
    if (!beside && (await this.#embed(opened, holding.path, embedded))) return;
    const comicInfo = tags.find(({ format }) => format === "comicinfo")!;
    await this.#replace(sidecarName(holding.path), comicInfo.xml());
  }

  async #replace(path: string, xml: Uint8Array): Promise<void> {
    await this.parts.engine.replaceFile(path, async (file) => file.writeFile(xml));
  }

  /** @returns false when the format takes no tags, so that they go beside it */
  async #embed({ path: real }: OpenedFile, path: string, tags: readonly TagFile[]): Promise<boolean> {
    try {
      await this.parts.engine.replaceFile(path, async (file) => {
        await this.parts.rewriting.run({ kind: "write-tags", path: real, descriptor: file.fd, tags });
      });
      return true;
    } catch (thrown) {
      if (thrown instanceof UnreadableArchive && (thrown.reason === "unsupported" || thrown.reason === "truncated"))
        return false;
      throw thrown;
    }
  }

  /** The current tags of the file, so that values that are not known otherwise are kept. */
  async #formerTags(opened: OpenedFile, path: string, beside: boolean): Promise<FormerTags> {
    if (opened.kind === "folder") {
      const { comic } = await this.#readBeside(join(path, "ComicInfo.xml"));
      return { comic, metron: (await this.#readBeside(join(path, "MetronInfo.xml"))).metron };
    }
    const sidecar = await this.#readBeside(sidecarName(path));
    if (beside && sidecar.comic) return sidecar;
    const inside = await this.#readTags(opened.path, "zip");
    return { comic: sidecar.comic ?? inside.comic, metron: inside.metron };
  }

  async #readBeside(path: string): Promise<FormerTags> {
    const file = await this.parts.files.open(path);
    try {
      return file?.kind === "file" ? await this.#readTags(file.path, "xml") : noTags;
    } finally {
      await file?.close();
    }
  }

  async #readTags(path: string, from: "xml" | "zip"): Promise<FormerTags> {
    try {
      const { readers } = this.parts.readers();
      return await this.parts.rewriting.run({ kind: "read-tags", path, from, readers });
    } catch (thrown) {
      // Tags that can be read with another reader must not be lost.
      if (thrown instanceof UnreadableArchive && thrown.reason !== "no-reader") return noTags;
      throw thrown;
    }
  }

  async #rescan(written: readonly TagTask[]): Promise<void> {
    await this.parts.engine.rescan(written.map(({ holding }) => holding.path));
  }
}
