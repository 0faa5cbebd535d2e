import { lstat, stat } from "node:fs/promises";
import { isAbsolute, join, resolve } from "node:path";
import {
  BadInput,
  Conflict,
  systemViewer,
  type KernelUsers,
  type OptionalCapability,
  type PluginSettings,
  type Viewer,
} from "@longbox/sdk";
import { z } from "zod";
import type { CollectionContract, Library, Series } from "@longbox/collection/contract";
import type { MetadataContract } from "@longbox/metadata/contract";
import type { JobControl, JobsContract, ResumableJob } from "@longbox/operations/contract";
import { answerWithJob } from "../answered-work.js";
import type { FolderTurns } from "../folder-turns.js";
import type { Formats } from "../formats/formats.js";
import type { Inspecting } from "../inspecting/inspecting.js";
import type { Moves, PlannedMove } from "../moving/moves.js";
import type { Naming } from "../naming/naming.js";
import type { FilesSettings } from "../settings.js";
import type { Candidate } from "./candidate.js";
import { CandidatePlaces, type Identified } from "./candidate-places.js";
import { ChosenMatch } from "./chosen-match.js";
import type { Candidates } from "./candidates.js";
import { findGroups } from "./finding.js";
import type { Judging } from "./judging.js";
import type { VisibleCandidates } from "./visible-candidates.js";

export interface ImportingParts {
  readonly candidates: Candidates;
  readonly visible: VisibleCandidates;
  readonly judging: Judging;
  readonly collection: CollectionContract;
  readonly metadata: OptionalCapability<MetadataContract>;
  readonly naming: Naming;
  readonly formats: Formats;
  readonly inspecting: Inspecting;
  readonly moves: Moves;
  readonly turns: FolderTurns;
  readonly settings: PluginSettings<FilesSettings>;
  readonly jobs: JobsContract;
  readonly users: Pick<KernelUsers, "viewerOf">;
  readonly signal: AbortSignal;
  readonly rescan: (libraryId: number, paths: readonly string[]) => Promise<void>;
  readonly announce: () => void;
}

export interface ImportOutcome {
  /** How many files came in. */
  readonly imported: number;
  readonly failed: ReadonlyArray<{ readonly id: number; readonly error: string }>;
}

/** What importing one candidate would do. */
export interface ImportPlan {
  /** The library that the files would go to. */
  readonly library: string;
  /** The collection has the series already. */
  readonly isKnown: boolean;
  /** Where each file would go; a file whose goal is taken would stay. */
  readonly moves: ReadonlyArray<PlannedMove & { readonly isTaken: boolean }>;
}

const kind = "files.import";

export interface ImportOptions {
  readonly libraryId?: number | undefined;
  readonly ids?: readonly number[] | undefined;
}

const inputSchema = z.object({
  libraryId: z.number().int().optional(),
  ids: z.array(z.number().int()).optional(),
  userId: z.number().int(),
});

/** The goal of candidates, and the user on whose behalf they are imported. */
interface ImportGoal {
  readonly fallback: Library;
  readonly libraries: readonly Library[];
  readonly viewer: Viewer;
}

/** Imports files from the import folder into a library; a user reviews everything that is uncertain. */
export class Importing {
  readonly #places: CandidatePlaces;
  readonly #chosen: ChosenMatch;

  constructor(private readonly parts: ImportingParts) {
    this.#places = new CandidatePlaces(parts.naming);
    this.#chosen = new ChosenMatch(parts.collection, parts.metadata);
  }

  /** Looks through the import folder, or a folder in it. @throws {BadInput} */
  async look(path: string | undefined, viewer: Viewer): Promise<Candidate[]> {
    const folder = await this.#folderIn(path);
    const importFolder = resolve(this.parts.settings.current.importFolder);
    const perform = (control: JobControl) =>
      this.parts.turns.take("Files are being imported", async () => {
        const groups = await findGroups(folder, importFolder, this.parts);
        const found = [];
        for (const group of groups) {
          control.signal.throwIfAborted();
          found.push({ group, judgement: await this.parts.judging.judge(group, systemViewer) });
          control.progress(found.length, groups.length);
        }
        await this.parts.candidates.remember(found, { folder, importFolder });
      });
    const work = { kind: "files.import-look", title: "Look through the import folder", perform };
    await answerWithJob(this.parts.jobs, work, { signal: this.parts.signal });
    this.parts.announce();
    return this.parts.visible.list(viewer);
  }

  /** Says which series a candidate is. @throws {NotFound} @throws {BadInput} */
  async match(
    id: number,
    choice: { cvId?: number | undefined; seriesId?: number | undefined },
    viewer: Viewer,
  ): Promise<Candidate> {
    await this.#undecided(id);
    const match =
      choice.seriesId === undefined
        ? await this.#chosen.volume(choice.cvId, viewer)
        : await this.#chosen.series(choice.seriesId, viewer);
    await this.parts.candidates.choose(id, match);
    this.parts.announce();
    return this.parts.visible.get(id, viewer);
  }

  async decide(id: number, status: "ready" | "skipped", viewer: Viewer): Promise<Candidate> {
    await this.#undecided(id);
    await this.parts.candidates.setStatus(id, status);
    this.parts.announce();
    return this.parts.visible.get(id, viewer);
  }

  /** Where the files of a candidate would go. Nothing is changed. @throws {BadInput} @throws {NotFound} */
  async plan(id: number, libraryId: number | undefined, viewer: Viewer): Promise<ImportPlan> {
    const candidate = await this.parts.visible.get(id, viewer);
    const seriesId = candidate.match?.seriesId ?? undefined;
    const series = seriesId === undefined ? undefined : await this.parts.collection.findSeries(seriesId, viewer);
    const { library, moves } = this.#moves({ candidate, series }, await this.#goal({ libraryId }, viewer));
    const taken = new Set<string>();
    const planned: Array<PlannedMove & { readonly isTaken: boolean }> = [];
    for (const move of moves) {
      // What is wrong with a place that cannot be looked at is said by the move.
      const isThere = await lstat(move.to).then(Boolean, () => false);
      const isTaken = taken.has(move.to) || isThere;
      taken.add(move.to);
      planned.push({ ...move, isTaken });
    }
    return { library: library.name, isKnown: series !== undefined, moves: planned };
  }

  /** Moves the files of the candidates that are ready. @throws {BadInput} when there is no library for them */
  async run(options: ImportOptions, viewer: Viewer): Promise<ImportOutcome> {
    const work = { kind, title: "Import files", perform: (control: JobControl) => this.#run(options, viewer, control) };
    const input = { ...options, userId: viewer.user.id };
    return answerWithJob(this.parts.jobs, work, { signal: this.parts.signal, input });
  }

  /** After a restart, continues with the candidates that are still ready, if the user may still import. */
  resumable(): ResumableJob {
    return {
      kind,
      resume: async ({ input }, control) => {
        const { userId, ...options } = inputSchema.parse(input);
        const viewer = await this.parts.users.viewerOf(userId);
        if (!viewer?.may("library.manage")) throw new Error("The user who began this may not import any more.");
        const { imported, failed } = await this.#run(options, viewer, control);
        return `${imported} imported, ${failed.length} not`;
      },
    };
  }

  async #run(options: ImportOptions, viewer: Viewer, control: JobControl): Promise<ImportOutcome> {
    const ready = (await this.parts.visible.list(viewer)).filter(
      (candidate) => candidate.status === "ready" && (options.ids === undefined || options.ids.includes(candidate.id)),
    );
    const goal = await this.#goal(options, viewer);
    const outcome = await this.parts.turns.take("Files are being imported", () =>
      this.#importAll(ready, goal, control),
    );
    for (const [libraryId, paths] of outcome.changed) await this.parts.rescan(libraryId, paths);
    this.parts.announce();
    return { imported: outcome.imported, failed: outcome.failed };
  }

  /** @throws {BadInput} `files/no-library` */
  async #goal({ libraryId }: Pick<ImportOptions, "libraryId">, viewer: Viewer): Promise<ImportGoal> {
    const libraries = await this.parts.collection.listLibraries(viewer);
    const fallback =
      libraryId === undefined
        ? libraries.find(({ type }) => this.parts.formats.ofType(type).length > 0)
        : libraries.find(({ id }) => id === libraryId);
    if (!fallback)
      throw new BadInput("files/no-library", "There is no library to import into.", {
        libraryId: "must be a library",
      });
    return { fallback, libraries, viewer };
  }

  #moves(
    identified: Identified,
    { fallback, libraries }: ImportGoal,
  ): { library: Library; folder: string; moves: PlannedMove[] } {
    const { library, folder } = this.#places.place(identified, fallback, libraries);
    const moves = identified.candidate.files.map(({ path, name }) => ({
      from: path,
      to: join(folder, this.#places.fileName(name, identified, library)),
    }));
    return { library, folder, moves };
  }

  async #importAll(
    ready: readonly Candidate[],
    goal: ImportGoal,
    control: JobControl,
  ): Promise<ImportOutcome & { changed: Map<number, string[]> }> {
    const failed: Array<{ id: number; error: string }> = [];
    const changed = new Map<number, string[]>();
    let imported = 0;
    for (const [index, candidate] of ready.entries()) {
      if (control.signal.aborted) break;
      control.progress(index, ready.length);
      try {
        const { libraryId, folder, moved, errors } = await this.#importOne(candidate, goal);
        imported += moved;
        changed.set(libraryId, [...(changed.get(libraryId) ?? []), folder]);
        if (errors[0] !== undefined) failed.push({ id: candidate.id, error: errors[0] });
        else await this.parts.candidates.setStatus(candidate.id, "imported");
      } catch (thrown) {
        failed.push({ id: candidate.id, error: thrown instanceof Error ? thrown.message : String(thrown) });
      }
    }
    return { imported, failed, changed };
  }

  async #importOne(
    candidate: Candidate,
    goal: ImportGoal,
  ): Promise<{ libraryId: number; folder: string; moved: number; errors: string[] }> {
    const series = await this.#seriesFor(candidate, goal.viewer);
    const { library, folder, moves } = this.#moves({ candidate, series }, goal);
    const { moved, failed } = await this.parts.moves.perform("import", moves, {
      rootOf: () => resolve(this.parts.settings.current.importFolder),
    });
    if (series && moved.length > 0) await this.parts.collection.pinFolder(series.id, folder);
    return { libraryId: library.id, folder, moved: moved.length, errors: failed.map(({ error }) => error) };
  }

  /** Adds a volume that is not in the collection yet, where the provider knows it. */
  async #seriesFor({ match }: Candidate, viewer: Viewer): Promise<Series | undefined> {
    if (!match) return undefined;
    if (match.seriesId !== null) return this.parts.collection.findSeries(match.seriesId, viewer);
    if (match.cvId === null || !this.parts.metadata.available()) return undefined;
    const { seriesId } = await this.parts.metadata.use.addVolume(match.cvId, { viewer, cvIssueIds: [], why: "picked" });
    return this.parts.collection.findSeries(seriesId, viewer);
  }

  async #undecided(id: number): Promise<void> {
    const candidate = await this.parts.candidates.get(id);
    if (candidate.status === "imported")
      throw new Conflict("files/imported-already", "This candidate has been imported.");
  }

  async #folderIn(path: string | undefined): Promise<string> {
    const root = this.parts.settings.current.importFolder;
    if (root === "")
      throw new BadInput("files/no-import-folder", "No import folder is set.", {
        importFolder: "must be set in the settings of the files",
      });
    const folder = resolve(path ?? root);
    const isInside = isAbsolute(path ?? root) && (folder === resolve(root) || folder.startsWith(`${resolve(root)}/`));
    const isFolder =
      isInside &&
      (await stat(folder).then(
        (found) => found.isDirectory(),
        () => false,
      ));
    if (!isFolder)
      throw new BadInput("files/no-such-folder", "There is no such folder inside the import folder.", {
        path: "must be a folder inside the import folder",
      });
    return folder;
  }
}
