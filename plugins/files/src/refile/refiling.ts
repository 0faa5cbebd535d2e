import { readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Conflict, isLongboxError, NotFound, systemViewer, type Viewer } from "@longbox/sdk";
import type { CollectionContract, Library, Series } from "@longbox/collection/contract";
import type { JobControl, JobsContract, JobWork, ResumableJob } from "@longbox/operations/contract";
import { answerWithJob } from "../answered-work.js";
import type { FolderTurns } from "../folder-turns.js";
import { keptExtension } from "../formats/kept-extension.js";
import type { Formats } from "../formats/formats.js";
import type { MoveOutcome, Moves } from "../moving/moves.js";
import type { Naming } from "../naming/naming.js";
import { stateOfJob, type RunningState } from "../running-state.js";
import { placeKey, planRefile, type RefileStep, type WantedPlace } from "./plan.js";
import { PlansUnderWay, type PlanControl } from "./plans-under-way.js";

export interface RefilingParts {
  readonly collection: CollectionContract;
  readonly formats: Formats;
  readonly naming: Naming;
  readonly moves: Moves;
  readonly turns: FolderTurns;
  readonly jobs: JobsContract;
  readonly announce: () => void;
  readonly signal: AbortSignal;
}

const kind = "files.refile";
/** The job, and the tool that does the same. */
const kinds = [kind, "tool.rename-files"];

/** What came of bringing the files of a series to their places. */
export interface Refiled {
  readonly plan: readonly RefileStep[];
  /** The batch of moves that can be undone; undefined when no file moved. */
  readonly batchId: number | undefined;
}

const seriesAtOnce = 200;
/** Series whose files are looked for at a time, so that a database server is not asked for one after the other. */
const seriesTogether = 8;

/** Brings files to the places and names that the patterns give them. */
export class Refiling {
  /** Those that viewers wait for. */
  readonly plans: PlansUnderWay;

  constructor(private readonly parts: RefilingParts) {
    this.plans = new PlansUnderWay(parts.announce);
  }

  /** @throws {NotFound} `files/series-not-found` */
  async planSeries(seriesId: number, viewer: Viewer): Promise<RefileStep[]> {
    const series = await this.parts.collection.findSeries(seriesId, viewer);
    if (!series) throw new NotFound("files/series-not-found", `There is no series ${seriesId}.`);
    return this.#planFor([series], viewer);
  }

  /** @throws {Conflict} `files/busy` while files are being scanned or changed */
  async refileSeries(seriesId: number, viewer: Viewer): Promise<Refiled> {
    const perform = (control: JobControl) =>
      this.parts.turns.take("Files are being moved", async () => {
        const plan = await this.planSeries(seriesId, viewer);
        const outcome = await this.#carryOut(plan, control);
        return { plan: outcomeOf(plan, outcome), batchId: outcome.moved.length === 0 ? undefined : outcome.batchId };
      });
    const work = { kind: "files.refile-series", title: "Move the files of a series", perform };
    return answerWithJob(this.parts.jobs, work, { signal: this.parts.signal });
  }

  /** @throws the reason of the control's signal when it aborts */
  async planLibrary(viewer: Viewer, control: PlanControl = {}): Promise<RefileStep[]> {
    const all: Series[] = [];
    for (let offset = 0; ; offset += seriesAtOnce) {
      control.signal?.throwIfAborted();
      const { items } = await this.parts.collection.listSeries({ limit: seriesAtOnce, offset }, viewer);
      all.push(...items);
      if (items.length < seriesAtOnce) break;
    }
    return this.#planFor(all, viewer, control);
  }

  /** Begins as a job. @throws {Conflict} `files/busy` while such a job is under way */
  async startLibrary(): Promise<void> {
    const { jobs, signal, announce } = this.parts;
    const options = { key: kind, input: {}, signal, onChange: announce };
    await jobs.run(kind, "Reorganise the library", failing(this), options).catch((thrown: unknown) => {
      if (!isLongboxError(thrown) || thrown.code !== "operations/job-running") throw thrown;
      throw new Conflict("files/busy", "The library is being reorganised already.");
    });
  }

  /** What a restart cut off goes on: files that are in their places by now are left there. */
  resumable(): ResumableJob {
    return { kind, resume: (_, control) => failing(this)(control), onChange: this.parts.announce };
  }

  /** How far reorganising the library is, or how it ended. */
  async state(): Promise<RunningState> {
    return stateOfJob(await this.parts.jobs.findLatest(kinds));
  }

  async undo(batchId: number): Promise<MoveOutcome> {
    const rootOf = await this.#roots();
    const perform = () => this.parts.turns.take("Files are being moved", () => this.parts.moves.undo(batchId, rootOf));
    const work = { kind: "files.undo", title: "Put files back", perform };
    return answerWithJob(this.parts.jobs, work, { signal: this.parts.signal });
  }

  /** Waits for the folders. @returns what came of it, and why the first file that stayed did so */
  async refileLibrary(control: JobControl): Promise<{ readonly message: string; readonly error: string | undefined }> {
    return this.parts.turns.wait("Files are being moved", async () => {
      control.signal.throwIfAborted();
      control.progress(0, 0, "Planning");
      // A format knows what lies beside its files and moves along.
      const types = new Set((await this.parts.collection.listLibraries(systemViewer)).map(({ type }) => type));
      for (const type of types) await this.parts.formats.untilOfType(type, control.signal);
      const plan = await this.planLibrary(systemViewer, control);
      const { moved, failed } = await this.#carryOut(plan, control);
      control.signal.throwIfAborted();
      const message = `${moved.length} moved, ${failed.length} failed`;
      control.progress(moved.length, moved.length + failed.length, message);
      return { message, error: failed[0]?.error };
    });
  }

  async #carryOut(plan: readonly RefileStep[], control: JobControl): Promise<MoveOutcome> {
    const moves = plan.filter((step) => step.status === "move");
    if (moves.length === 0) return { batchId: 0, moved: [], failed: [] };
    control.progress(0, moves.length, "Moving files");
    return this.parts.moves.perform("refile", moves, {
      rootOf: await this.#roots(),
      signal: control.signal,
      progress: (done) => control.progress(done),
    });
  }

  async #planFor(all: readonly Series[], viewer: Viewer, control: PlanControl = {}): Promise<RefileStep[]> {
    const libraries = await this.parts.collection.listLibraries(viewer);
    const wanted: WantedPlace[] = [];
    for (let at = 0; at < all.length; at += seriesTogether) {
      control.signal?.throwIfAborted();
      control.progress?.(at, all.length);
      const some = all.slice(at, at + seriesTogether);
      const found = await Promise.all(some.map((series) => this.#wantedOf(series, libraries, viewer)));
      for (const place of found.flat()) wanted.push(place);
    }
    const own = new Set(wanted.map(({ from }) => from));
    const strangers = await listStrangers(
      new Set(wanted.flatMap(({ to }) => (to === undefined ? [] : [dirname(to)]))),
      own,
    );
    return planRefile(wanted, (path) => strangers.has(placeKey(path)));
  }

  /**
   * Only files that the collection attributes to the series; an issue's second file keeps its own name by its edition.
   */
  async #wantedOf(series: Series, libraries: readonly Library[], viewer: Viewer): Promise<WantedPlace[]> {
    const { collection } = this.parts;
    const issues = new Map((await collection.listIssues(series.id, viewer)).map((issue) => [issue.id, issue]));
    const held = [...issues.values()].filter(({ owned, corrupt }) => owned || corrupt).map(({ id }) => id);
    const placed = (await collection.findHoldings(held)).map(async ({ path, issueId }) => {
      const issue = issues.get(issueId);
      const library = libraries.find(({ rootFolder }) => path.startsWith(`${rootFolder}/`));
      return issue && library ? [{ from: path, to: await this.#goal(path, { series, issue, library }) }] : [];
    });
    return (await Promise.all(placed)).flat();
  }

  async #goal(
    path: string,
    { series, issue, library }: { series: Series; issue: Parameters<Naming["fileOf"]>[1]; library: Library },
  ): Promise<string | undefined> {
    const folder = this.parts.naming.folderOf(series, library);
    const name = this.parts.naming.fileOf(series, issue, library);
    return folder === undefined || name === undefined
      ? undefined
      : join(library.rootFolder, folder, `${name}${await keptExtension(path)}`);
  }

  async #roots(): Promise<(path: string) => string | undefined> {
    const libraries = await this.parts.collection.listLibraries(systemViewer);
    return (path) => libraries.find(({ rootFolder }) => path.startsWith(`${rootFolder}/`))?.rootFolder;
  }
}

/** As a job, which has failed when a file could not be moved; its message says how many were. */
function failing(refiling: Refiling): JobWork {
  return async (control) => {
    const { message, error } = await refiling.refileLibrary(control);
    if (error !== undefined) throw new Error(error);
    return message;
  };
}

/** The plan as it came out: what could not be moved says why. */
function outcomeOf(plan: readonly RefileStep[], { failed }: MoveOutcome): RefileStep[] {
  const lost = new Map(failed.map(({ from, error }) => [from, error]));
  return plan.map((step) => (lost.has(step.from) ? { ...step, status: "failed", error: lost.get(step.from) } : step));
}

/** The keys of all other entries of these folders. */
async function listStrangers(folders: ReadonlySet<string>, own: ReadonlySet<string>): Promise<Set<string>> {
  const strangers = new Set<string>();
  for (const folder of folders) {
    const names = await readdir(folder).catch(() => []);
    for (const name of names) if (!own.has(join(folder, name))) strangers.add(placeKey(join(folder, name)));
  }
  return strangers;
}
