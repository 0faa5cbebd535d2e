import { rm } from "node:fs/promises";
import { Conflict, LongboxError, BadInput, systemViewer, type Viewer } from "@longbox/sdk";
import type { CollectionContract } from "@longbox/collection/contract";
import type { FilesImporting, ImportedFile, PlaceRequest } from "../contract.js";
import type { FolderTurns } from "../folder-turns.js";
import type { Reviewing } from "../importing/reviewing.js";
import type { InspectedPath } from "../inspecting/inspected-path.js";
import type { Moves, PlannedMove } from "../moving/moves.js";
import { trashPath } from "../moving/trash.js";
import { isUnchanged, SourceChanged } from "../moving/verified-copy.js";
import type { ChoosingPlace, ChosenPlace } from "./choosing-place.js";
import type { Knowing } from "./knowing.js";
import type { PatientInspecting } from "./patient-inspecting.js";
import { answerOf, type Placements } from "./placements.js";
import { lookAtSource, parseRequest, requireImporter } from "./source.js";
import { stage } from "./staging.js";

export interface PlacingParts {
  readonly collection: CollectionContract;
  readonly placements: Placements;
  readonly choosing: ChoosingPlace;
  readonly knowing: Knowing;
  readonly reviewing: Reviewing;
  readonly patient: PatientInspecting;
  readonly moves: Moves;
  readonly turns: FolderTurns;
}

type Source = Awaited<ReturnType<typeof lookAtSource>>;

/**
 * Puts files of other plugins into their places. Each is in the table of placements before anything is written; the
 * moves themselves are one batch of the journal, which a restart puts in order and which can be undone.
 */
export class Placing implements FilesImporting {
  readonly #running = new Map<string, Promise<ImportedFile>>();

  constructor(private readonly parts: PlacingParts) {}

  async place(given: PlaceRequest, viewer: Viewer): Promise<ImportedFile> {
    const request = parseRequest(given);
    requireImporter(viewer);
    // Calls with one key come one after the other: the second finds what the first did.
    const before = this.#running.get(request.key);
    // A failure of the call before was thrown to its own caller.
    const work = (before ?? Promise.resolve()).catch(() => undefined).then(() => this.#place(request, viewer));
    this.#running.set(request.key, work);
    try {
      return await work;
    } finally {
      if (this.#running.get(request.key) === work) this.#running.delete(request.key);
    }
  }

  async review(paths: readonly string[], reason: string, viewer: Viewer): ReturnType<FilesImporting["review"]> {
    requireImporter(viewer);
    return this.parts.reviewing.handOver(paths, reason);
  }

  async #place(request: PlaceRequest, viewer: Viewer): Promise<ImportedFile> {
    const { placements, knowing } = this.parts;
    const known = await placements.find(request.key);
    if (known) {
      if (known.path !== request.path || known.mode !== request.mode || known.issue_id !== (request.issueId ?? null))
        throw new Conflict("files/key-used", "The key is already in use for another file.", { key: request.key });
      return known.state === "done" ? answerOf(known) : knowing.makeKnown(known, viewer);
    }
    const source = await lookAtSource(request.path, "path");
    await this.#refuseOwnFiles(request.path);
    const file = await this.#inspect(request.path);
    const chosen = await this.parts.choosing.choose(file, request, viewer);
    await placements.begin({
      key: request.key,
      path: request.path,
      mode: request.mode,
      issue_id: request.issueId ?? null,
    });
    const incoming = await this.#stage(request, chosen).catch((thrown: unknown) => this.#giveUp(request.key, thrown));
    await this.parts.turns
      .wait("Files are being imported", () => this.#move({ request, source, file, incoming }, viewer))
      .catch((thrown: unknown) => this.#giveUp(request.key, thrown, incoming === request.path ? undefined : incoming));
    return knowing.makeKnown((await placements.find(request.key))!, viewer);
  }

  async #inspect(path: string): Promise<InspectedPath> {
    const file = await this.parts.patient.inspect(path);
    const error = file ? file.inspection.error : "The file is no longer there.";
    if (file && error === undefined) return file;
    throw new BadInput("files/not-readable", `The file cannot be taken. ${error}`, {
      path: error ?? "has no known format",
    });
  }

  /** Files in a library, including libraries that the viewer may not see, are moved by refiling instead. */
  async #refuseOwnFiles(path: string): Promise<void> {
    const libraries = await this.parts.collection.listLibraries(systemViewer);
    if (
      libraries.some(
        ({ rootFolder }) =>
          path === rootFolder || `${rootFolder}/`.startsWith(`${path}/`) || path.startsWith(`${rootFolder}/`),
      )
    )
      throw new BadInput("files/bad-path", "The file lies in a library already.", { path: "lies in a library" });
  }

  /** @returns what is to be moved to the goal: the original, or its copy on the library's disk */
  async #stage({ path, key, mode }: PlaceRequest, { library, goal }: ChosenPlace): Promise<string> {
    if (mode === "move") return path;
    const staged = trashPath(library.rootFolder, goal);
    await this.parts.placements.change(key, { staged });
    await stage(path, staged, mode);
    return staged;
  }

  /**
   * The last check, while no other operation uses the folders: the replaced and the new files are still those that were
   * examined.
   */
  async #move(
    work: { request: PlaceRequest; source: Source; file: InspectedPath; incoming: string },
    viewer: Viewer,
  ): Promise<void> {
    const { request, source, file, incoming } = work;
    if (!isUnchanged(source, await lookAtSource(request.path, "path"))) throw new SourceChanged();
    const { goal, library, series, replaced } = await this.parts.choosing.choose(file, request, viewer);
    const trashed = replaced.map((path): PlannedMove => ({ from: path, to: trashPath(library.rootFolder, path) }));
    const { placements, moves } = this.parts;
    const rootOf = (path: string) => (path.startsWith(`${library.rootFolder}/`) ? library.rootFolder : undefined);
    const outcome = await moves.perform("import", [...trashed, { from: incoming, to: goal }], {
      rootOf,
      begun: (batchId, transaction) =>
        placements.change(
          request.key,
          {
            state: "moving",
            batch_id: batchId,
            goal,
            library_id: library.id,
            series_id: series.id,
            replaced: JSON.stringify(trashed),
          },
          transaction,
        ),
    });
    if (outcome.failed[0]) {
      await moves.putBack(outcome.batchId);
      throw new LongboxError("conflict", "files/not-placed", outcome.failed[0].error);
    }
    await placements.change(request.key, { state: "placed" });
  }

  /** Nothing has changed: the original is in its place, and the key can be used again. */
  async #giveUp(key: string, thrown: unknown, staged?: string): Promise<never> {
    const placement = await this.parts.placements.find(key);
    const copy = staged ?? placement?.staged ?? undefined;
    if (copy !== undefined) await rm(copy, { recursive: true, force: true });
    await this.parts.placements.drop(key);
    throw thrown;
  }
}
