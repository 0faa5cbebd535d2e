import { readdir } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { Conflict, NotFound, systemViewer, type Viewer } from "@longbox/sdk";
import type { CollectionContract, Library, Series } from "@longbox/collection/contract";
import type { FolderTurns } from "../folder-turns.js";
import type { Formats } from "../formats/formats.js";
import type { MoveOutcome, Moves } from "../moving/moves.js";
import type { Naming } from "../naming/naming.js";
import type { Progress, RunningState } from "../running-state.js";
import { placeKey, planRefile, type RefileStep, type WantedPlace } from "./plan.js";

export interface RefilingParts {
  readonly collection: CollectionContract;
  readonly formats: Formats;
  readonly naming: Naming;
  readonly moves: Moves;
  readonly turns: FolderTurns;
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** What came of bringing the files of a series to their places. */
export interface Refiled {
  readonly plan: readonly RefileStep[];
  /** The batch of moves that can be undone; undefined when no file moved. */
  readonly batchId: number | undefined;
}

const seriesAtOnce = 200;

/** Brings files to the places and names that the patterns give them. */
export class Refiling {
  #working: Promise<void> | undefined;

  constructor(private readonly parts: RefilingParts) {}

  /** @throws {NotFound} `files/series-not-found` */
  async planSeries(seriesId: number, viewer: Viewer): Promise<RefileStep[]> {
    const series = await this.parts.collection.findSeries(seriesId, viewer);
    if (!series) throw new NotFound("files/series-not-found", `There is no series ${seriesId}.`);
    return this.#planFor([series], viewer);
  }

  /** @throws {Conflict} `files/busy` while files are being scanned or changed */
  async refileSeries(seriesId: number, viewer: Viewer): Promise<Refiled> {
    return this.parts.turns.take("Files are being moved", async () => {
      const plan = await this.planSeries(seriesId, viewer);
      const outcome = await this.#carryOut(plan);
      return { plan: outcomeOf(plan, outcome), batchId: outcome.moved.length === 0 ? undefined : outcome.batchId };
    });
  }

  async planLibrary(viewer: Viewer): Promise<RefileStep[]> {
    const all: Series[] = [];
    for (let offset = 0; ; offset += seriesAtOnce) {
      const { items } = await this.parts.collection.listSeries({ limit: seriesAtOnce, offset }, viewer);
      all.push(...items);
      if (items.length < seriesAtOnce) break;
    }
    return this.#planFor(all, viewer);
  }

  /** Begins in the background; `progress` says how far it is. @throws {Conflict} `files/busy` */
  async refileLibrary(options: { signal?: AbortSignal } = {}): Promise<void> {
    if (this.#working) throw new Conflict("files/busy", "The library is being reorganised already.");
    const begun = Promise.withResolvers<void>();
    this.#working = this.parts.turns
      .take("Files are being moved", async () => {
        begun.resolve();
        await this.#refileAll(options);
      })
      .catch(begun.reject)
      .finally(() => (this.#working = undefined));
    return begun.promise;
  }

  async undo(batchId: number): Promise<MoveOutcome> {
    const rootOf = await this.#roots();
    return this.parts.turns.take("Files are being moved", () => this.parts.moves.undo(batchId, rootOf));
  }

  get state(): RunningState {
    return this.parts.progress.state;
  }

  /** Settles once nothing is being moved. @returns what came of it */
  async settled(): Promise<string> {
    await this.#working;
    const { message, error } = this.parts.progress.state;
    return error === undefined ? (message ?? "") : `${message ?? ""} (${error})`.trim();
  }

  async release(): Promise<void> {
    await this.#working;
  }

  async #refileAll(options: { signal?: AbortSignal }): Promise<void> {
    const { progress } = this.parts;
    try {
      progress.begin("Planning");
      const plan = await this.planLibrary(systemViewer);
      progress.advance({ total: plan.filter((step) => step.status === "move").length, message: "Moving files" });
      const { moved, failed } = await this.#carryOut(plan, {
        ...options,
        progress: (done) => progress.advance({ done }),
      });
      progress.end({
        message: `${moved.length} moved, ${failed.length} failed`,
        ...(failed[0] && { error: failed[0].error }),
      });
    } catch (thrown) {
      progress.end({ error: thrown instanceof Error ? thrown.message : String(thrown) });
    }
  }

  async #carryOut(
    plan: readonly RefileStep[],
    options: { signal?: AbortSignal; progress?: (done: number) => void } = {},
  ): Promise<MoveOutcome> {
    const moves = plan.filter((step) => step.status === "move");
    if (moves.length === 0) return { batchId: 0, moved: [], failed: [] };
    return this.parts.moves.perform("refile", moves, await this.#roots(), {
      ...options,
      signal: AbortSignal.any([this.parts.signal, ...(options.signal ? [options.signal] : [])]),
    });
  }

  async #planFor(all: readonly Series[], viewer: Viewer): Promise<RefileStep[]> {
    const libraries = await this.parts.collection.listLibraries(viewer);
    const wanted: WantedPlace[] = [];
    for (const series of all) wanted.push(...(await this.#wantedOf(series, libraries, viewer)));
    const own = new Set(wanted.map(({ from }) => from));
    const strangers = await listStrangers(
      new Set(wanted.flatMap(({ to }) => (to === undefined ? [] : [dirname(to)]))),
      own,
    );
    return planRefile(wanted, (path) => strangers.has(placeKey(path)));
  }

  /** Only files that the collection attributes to the series; an issue's second file keeps its own name by its edition. */
  async #wantedOf(series: Series, libraries: readonly Library[], viewer: Viewer): Promise<WantedPlace[]> {
    const wanted: WantedPlace[] = [];
    for (const issue of await this.parts.collection.listIssues(series.id, viewer)) {
      if (!issue.owned && !issue.corrupt) continue;
      for (const holding of await this.parts.collection.listHoldings(issue.id)) {
        const library = libraries.find(({ rootFolder }) => holding.path.startsWith(`${rootFolder}/`));
        if (library) wanted.push({ from: holding.path, to: this.#goal(series, issue, holding.path, library) });
      }
    }
    return wanted;
  }

  #goal(series: Series, issue: Parameters<Naming["fileOf"]>[1], path: string, library: Library): string | undefined {
    const folder = this.parts.naming.folderOf(series, library);
    const name = this.parts.naming.fileOf(series, issue, library);
    const extension = this.parts.formats.promise(basename(path)) ? extname(path).toLowerCase() : "";
    return folder === undefined || name === undefined
      ? undefined
      : join(library.rootFolder, folder, `${name}${extension}`);
  }

  async #roots(): Promise<(path: string) => string | undefined> {
    const libraries = await this.parts.collection.listLibraries(systemViewer);
    return (path) => libraries.find(({ rootFolder }) => path.startsWith(`${rootFolder}/`))?.rootFolder;
  }
}

/** The plan as it came out: what could not be moved says why. */
function outcomeOf(plan: readonly RefileStep[], { failed }: MoveOutcome): RefileStep[] {
  const lost = new Map(failed.map(({ from, error }) => [from, error]));
  return plan.map((step) => (lost.has(step.from) ? { ...step, status: "failed", error: lost.get(step.from) } : step));
}

/** The keys of whatever stands in these folders and is none of the files. */
async function listStrangers(folders: ReadonlySet<string>, own: ReadonlySet<string>): Promise<Set<string>> {
  const strangers = new Set<string>();
  for (const folder of folders) {
    const names = await readdir(folder).catch(() => []);
    for (const name of names) if (!own.has(join(folder, name))) strangers.add(placeKey(join(folder, name)));
  }
  return strangers;
}
