import { join } from "node:path";
import type { CollectionContract, Library, ReadFile } from "@longbox/collection/contract";
import {
  releasable,
  systemViewer,
  type KernelPlugins,
  type Contributions,
  type Logger,
  type Releasable,
} from "@longbox/sdk";
import { bookType } from "../formats/book-formats.js";
import type { RemoteBook, RemoteBookSource } from "./remote-contract.js";
import type { RemoteRecords, SourceKey } from "./remote-records.js";
import { pathOf } from "./remote-path.js";

interface Parts {
  readonly sources: Contributions<RemoteBookSource>;
  readonly library: CollectionContract;
  readonly plugins: KernelPlugins;
  readonly records: RemoteRecords;
  readonly log: Logger;
  readonly signal: AbortSignal;
}

/** Sources need not notice what changes on their servers. */
const refreshEveryMs = 6 * 3_600_000;
/** Titles and folders cannot hold everything that a name can. */
const unfitForFolders = /[/\\\0]/gu;

/** Shows the books of remote sources in their libraries, and follows what the sources list. */
export class RemoteLibrary implements Releasable {
  #turn: Promise<void> = Promise.resolve();
  #isAgain = false;
  #listening: Promise<Releasable | undefined>[] = [];

  constructor(private readonly parts: Parts) {}

  /** Begins to follow the sources that are there, and those that come. */
  start(): Releasable[] {
    const { sources, library } = this.parts;
    this.#follow();
    const timer = setInterval(() => this.refresh(), refreshEveryMs).unref();
    return [
      sources.onChange(() => this.#follow()),
      library.onLibrariesChanged(() => this.refresh()),
      releasable(() => clearInterval(timer)),
    ];
  }

  /** Lists all sources again, now or after what is under way. */
  refresh(): void {
    if (this.#isAgain) return;
    this.#isAgain = true;
    this.#turn = this.#turn.then(async () => {
      this.#isAgain = false;
      for (const { plugin, contribution } of this.parts.sources.entries())
        if (!this.parts.signal.aborted) await this.#refreshSource(plugin, contribution);
      if (!this.parts.signal.aborted) await this.#removeGoneSources();
    });
  }

  async release(): Promise<void> {
    await this.#unfollow();
    await this.#turn;
  }

  #follow(): void {
    void this.#unfollow();
    this.#listening = this.parts.sources.all().map((source) => this.#listen(source));
    this.refresh();
  }

  /** A source that cannot be listened to is listed again all the same, at its time. */
  async #listen(source: RemoteBookSource): Promise<Releasable | undefined> {
    try {
      return await source.onChanged?.(() => this.refresh());
    } catch (problem) {
      this.parts.log.warn("a remote source does not tell of changes", { source: source.id, problem: String(problem) });
      return undefined;
    }
  }

  async #unfollow(): Promise<void> {
    for (const one of this.#listening.splice(0))
      try {
        await (await one)?.release();
      } catch (problem) {
        this.parts.log.warn("a remote source could not be let go", { problem: String(problem) });
      }
  }

  async #refreshSource(plugin: string, source: RemoteBookSource): Promise<void> {
    const key = { plugin, source: source.id };
    const { log, records, signal } = this.parts;
    try {
      const home = await this.#homeOf(source);
      if (!home) return;
      const gone = new Set(await records.listPaths(key));
      for (let after: string | undefined, more = true; more; more = after !== undefined) {
        const { books, next } = await source.list(after, signal);
        for (const path of await this.#place(key, books, home)) gone.delete(path);
        after = next;
      }
      await this.#remove([...gone]);
    } catch (problem) {
      if (!signal.aborted)
        log.warn("the books of a remote source could not be listed", { ...key, problem: String(problem) });
    }
  }

  /** Those that their plugin no longer offers while it runs, and those of plugins that were removed. */
  async #removeGoneSources(): Promise<void> {
    const { log, plugins, records, signal, sources } = this.parts;
    try {
      const states = new Map((await plugins.list("longbox-plugin")).map(({ name, state }) => [name, state]));
      for (const key of await records.listSources()) {
        const isThere = sources
          .entries()
          .some((one) => one.plugin === key.plugin && one.contribution.id === key.source);
        const state = states.get(key.plugin);
        if (!isThere && (state === undefined || state === "active")) await this.#remove(await records.listPaths(key));
      }
    } catch (problem) {
      if (!signal.aborted) log.warn("the books of former sources could not be removed", { problem: String(problem) });
    }
  }

  async #remove(paths: readonly string[]): Promise<void> {
    await this.parts.library.removeFiles(paths);
    await this.parts.records.remove(paths);
  }

  async #homeOf({ libraryId }: RemoteBookSource): Promise<Library | undefined> {
    const libraries = await this.parts.library.listLibraries(systemViewer);
    return libraries.find(({ id, type }) => type === bookType.id && (libraryId === undefined || id === libraryId));
  }

  async #place(key: SourceKey, books: readonly RemoteBook[], home: Library): Promise<string[]> {
    const { library, records } = this.parts;
    const placed = books.map((book) => ({ book, path: pathOf(key, book) }));
    await records.keep(
      placed.map(({ book: { id, format, version = "", sizeBytes = 0, cover = null }, path }) => {
        return { path, ...key, book_id: id, format, version, size: sizeBytes, cover };
      }),
    );
    await library.placeFiles(placed.map(({ book, path }) => readFileOf(book, path, home)));
    return placed.map(({ path }) => path);
  }
}

function readFileOf({ reading, format, sizeBytes = 0 }: RemoteBook, path: string, home: Library): ReadFile {
  const author = reading.people?.find(({ role }) => role === "author")?.name;
  const { year, month = 1, day = 1 } = reading.date ?? {};
  const folder = (author ?? reading.title).replaceAll(unfitForFolders, " ").slice(0, 100);
  return {
    libraryId: home.id,
    path,
    name: path.slice(path.lastIndexOf("/") + 1),
    sizeBytes,
    modifiedAt: new Date(0).toISOString(),
    pages: 0,
    format,
    valid: true,
    tagged: true,
    // Where its author's other books would lie, so that they are found together.
    series: {
      name: reading.series?.name ?? author ?? reading.title,
      folder: join(home.rootFolder, folder),
      publisher: reading.series?.publisher,
    },
    issue: {
      number: reading.number ?? "",
      kind: "issue",
      title: reading.title,
      coverDate:
        year === undefined ? undefined : [year, month, day].map((part) => String(part).padStart(2, "0")).join("-"),
      description: reading.description,
      credits: reading.people,
      subjects: reading.subjects?.["subjects"],
      language: reading.language,
      url: reading.url,
      ids: reading.ids,
    },
  };
}
