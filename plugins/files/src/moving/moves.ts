import { dirname, extname, join } from "node:path";
import { Conflict, isAmong, NotFound, systemViewer, type Logger } from "@longbox/sdk";
import type { CollectionContract } from "@longbox/collection/contract";
import type { ScanIndex } from "../scan/scan-index.js";
import type { Transaction } from "kysely";
import type { FilesDatabase, FilesTables, MoveTable } from "../tables.js";
import { sentenceOf } from "./disk-faults.js";
import { followGoals } from "./links.js";
import { isInTrash } from "./trash.js";
import { finishMove, removeEmptyFolders } from "./move-file.js";
import { MovingTogether } from "./moving-together.js";

export interface PlannedMove {
  readonly from: string;
  readonly to: string;
}

export interface MoveOutcome {
  readonly batchId: number;
  readonly moved: readonly PlannedMove[];
  readonly failed: ReadonlyArray<PlannedMove & { readonly error: string }>;
}

export interface MovesParts {
  readonly database: FilesDatabase;
  readonly collection: Pick<CollectionContract, "moveFiles" | "removeFiles" | "listLibraries">;
  readonly index: ScanIndex;
  /** The paths of files that may accompany a file. */
  readonly companionsOf: (path: string) => readonly string[];
  readonly log: Logger;
}

export interface MoveOptions {
  /** The folder of the library in which a path lies: folders that become empty are removed up to it. */
  readonly rootOf: (path: string) => string | undefined;
  readonly signal?: AbortSignal;
  readonly progress?: (done: number) => void;
  /** Writes beside the journal, in its transaction, before the first move. */
  readonly begun?: (batchId: number, transaction: Transaction<FilesTables>) => Promise<void>;
}

/** How many files are moved, put on disk and told to the collection together. */
const together = 50;

interface NumberedMove extends PlannedMove {
  /** In the journal. */
  readonly position: number;
}

/**
 * Moves files by a journal: what is to be done is on disk before the first move, so that a crash at any instant leaves
 * every file at its old or its new place, known there, and every batch can be undone.
 */
export class Moves {
  constructor(private readonly parts: MovesParts) {}

  /** Carries out moves in order. A move that fails is reported, and the others continue. */
  async perform(what: string, moves: readonly PlannedMove[], options: MoveOptions): Promise<MoveOutcome> {
    const batchId = await this.#begin(what, moves, options.begun);
    const moved: PlannedMove[] = [];
    const failed: Array<PlannedMove & { error: string }> = [];
    for (let at = 0; at < moves.length && !options.signal?.aborted; at += together) {
      const outcome = await this.#moveTogether(moves.slice(at, at + together), at);
      for (const { position, error } of outcome.failed) await this.#fail({ batchId, position }, error);
      await this.#record({ id: batchId, what }, outcome.moved);
      moved.push(...outcome.moved.map(({ from, to }) => ({ from, to })));
      failed.push(...outcome.failed.map(({ from, to, error }) => ({ from, to, error })));
      options.progress?.(Math.min(moves.length, at + together));
    }
    await followGoals(moved);
    await this.#removeEmptied(moved, options.rootOf);
    await this.parts.database.updateTable("move_batch").set({ state: "done" }).where("id", "=", batchId).execute();
    return { batchId, moved, failed };
  }

  /** Puts the files of a batch back where they were, newest first. @throws {NotFound} @throws {Conflict} */
  async undo(batchId: number, rootOf: (path: string) => string | undefined): Promise<MoveOutcome> {
    const back = await this.planUndo(batchId);
    const outcome = await this.perform("undo", back, { rootOf });
    await this.parts.database
      .updateTable("move_batch")
      .set({ state: outcome.failed.length === 0 ? "undone" : "done" })
      .where("id", "=", batchId)
      .execute();
    return outcome;
  }

  /** What undoing a batch would move, in this order. @throws {NotFound} @throws {Conflict} */
  async planUndo(batchId: number): Promise<PlannedMove[]> {
    const batch = await this.parts.database
      .selectFrom("move_batch")
      .select("state")
      .where("id", "=", batchId)
      .executeTakeFirst();
    if (!batch) throw new NotFound("files/no-such-batch", `There is no batch of moves ${batchId}.`);
    if (batch.state !== "done")
      throw new Conflict("files/not-undoable", "This batch cannot be undone: it is running, or was undone before.");
    return (await this.#rows(batchId))
      .filter((row) => row.state === "done")
      .toReversed()
      .map((row) => ({ from: row.to_path, to: row.from_path }));
  }

  /** Undoes a batch that failed in part or was interrupted, completely. */
  async putBack(batchId: number): Promise<void> {
    const rows = await this.#rows(batchId);
    const back = rows.filter(({ state }) => state === "done").toReversed();
    const { failed } = await this.#moveTogether(
      back.map((row) => ({ from: row.to_path, to: row.from_path })),
      0,
    );
    for (const { from, error } of failed) this.parts.log.error("A file could not be put back", { file: from, error });
    await this.parts.database.updateTable("move_batch").set({ state: "undone" }).where("id", "=", batchId).execute();
  }

  /** The batches, newest first. */
  async list(limit = 50): Promise<Array<{ id: number; what: string; state: string; at: string; moves: number }>> {
    const rows = await this.parts.database
      .selectFrom("move_batch")
      .leftJoin("move", (join) => join.onRef("move.batch_id", "=", "move_batch.id").on("move.state", "=", "done"))
      .select([
        "move_batch.id",
        "what",
        "move_batch.state",
        "started_at",
        (eb) => eb.fn.count<number>("move.position").as("moves"),
      ])
      .groupBy("move_batch.id")
      .orderBy("move_batch.id", "desc")
      .limit(limit)
      .execute();
    return rows.map((row) => ({
      id: row.id,
      what: row.what,
      state: row.state,
      at: row.started_at,
      moves: Number(row.moves),
    }));
  }

  /** After a crash: records what was moved, and leaves the rest in its place. */
  async recover(): Promise<void> {
    const batches = await this.parts.database
      .selectFrom("move_batch")
      .selectAll()
      .where("state", "=", "running")
      .orderBy("id")
      .execute();
    for (const batch of batches) {
      const done: NumberedMove[] = [];
      const moving = new MovingTogether();
      for (const row of await this.#rows(batch.id)) {
        if (row.state !== "planned") continue;
        if (await finishMove(row.from_path, row.to_path)) {
          done.push({ from: row.from_path, to: row.to_path, position: row.position });
          await this.#takeCompanions(row.from_path, row.to_path, moving);
        } else await this.#fail({ batchId: batch.id, position: row.position }, "The server was stopped before.");
      }
      await moving.finish();
      await this.#record(batch, done);
      await this.parts.database.updateTable("move_batch").set({ state: "done" }).where("id", "=", batch.id).execute();
      this.parts.log.warn("A batch of moves that was cut off has been put in order", {
        batch: batch.id,
        moved: done.length,
      });
    }
  }

  /** The state of each move of a batch: `planned`, `done` or `failed`. */
  async statesOf(batchId: number): Promise<string[]> {
    return (await this.#rows(batchId)).map(({ state }) => state);
  }

  async #begin(what: string, moves: readonly PlannedMove[], begun: MoveOptions["begun"]): Promise<number> {
    return this.parts.database.transaction().execute(async (transaction) => {
      const { id } = await transaction
        .insertInto("move_batch")
        .values({ what, state: "running", started_at: new Date().toISOString() })
        .returning("id")
        .executeTakeFirstOrThrow();
      const rows = moves.map(({ from, to }, position): MoveTable => ({
        batch_id: id,
        position,
        from_path: from,
        to_path: to,
        state: "planned",
        error: null,
      }));
      for (let at = 0; at < rows.length; at += 500)
        await transaction
          .insertInto("move")
          .values(rows.slice(at, at + 500))
          .execute();
      await begun?.(id, transaction);
      return id;
    });
  }

  /** When it settles, moved files are on disk in their new places, and all others are where they were. */
  async #moveTogether(
    moves: readonly PlannedMove[],
    firstPosition: number,
  ): Promise<{ moved: NumberedMove[]; failed: Array<NumberedMove & { readonly error: string }> }> {
    const moving = new MovingTogether();
    const begun: NumberedMove[] = [];
    const failed: Array<NumberedMove & { readonly error: string }> = [];
    for (const [index, move] of moves.entries()) {
      const numbered = { ...move, position: firstPosition + index };
      try {
        await moving.begin(move.from, move.to);
        begun.push(numbered);
        await this.#takeCompanions(move.from, move.to, moving);
      } catch (thrown) {
        failed.push({ ...numbered, error: sentenceOf(thrown) });
      }
    }
    const unmoved = await moving.finish();
    const stays = begun.filter(({ from }) => unmoved.has(from));
    failed.push(...stays.map((move) => ({ ...move, error: sentenceOf(unmoved.get(move.from)) })));
    return { moved: begun.filter(({ from }) => !unmoved.has(from)), failed };
  }

  /** Companions have the file's name with another ending, so that both lists are in the same order. */
  async #takeCompanions(from: string, to: string, moving: MovingTogether): Promise<void> {
    const companions = this.parts.companionsOf(from);
    const goals = companions.map((path) => `${withoutExtension(to)}${path.slice(withoutExtension(from).length)}`);
    for (const [index, companion] of companions.entries()) {
      try {
        if (!(await finishMove(companion, goals[index]!))) await moving.begin(companion, goals[index]!);
      } catch (thrown) {
        if ((thrown as NodeJS.ErrnoException).code !== "ENOENT")
          this.parts.log.warn("A file beside another could not be moved along", { error: thrown });
      }
    }
  }

  /**
   * Files that move within the libraries keep their issues. Those that leave them, for the trash or for elsewhere, are
   * forgotten; those that come in are found by the scan that follows. An import settles what it replaced by itself.
   */
  async #record(batch: { readonly id: number; readonly what: string }, done: readonly NumberedMove[]): Promise<void> {
    if (done.length === 0) return;
    const { collection, index } = this.parts;
    const roots = (await collection.listLibraries(systemViewer)).map(({ rootFolder }) => rootFolder);
    const isKept = (path: string) => !isInTrash(path) && roots.some((root) => path.startsWith(`${root}/`));
    const within = done.flatMap(({ from, to }) => (isKept(from) && isKept(to) ? [{ from, to }] : []));
    const gone = done.flatMap(({ from, to }) => (isKept(from) && !isKept(to) ? [from] : []));
    if (within.length > 0) {
      await collection.moveFiles(within);
      await index.move(within);
    }
    if (gone.length > 0 && batch.what !== "import") {
      await collection.removeFiles(gone);
      await index.forget(gone);
    }
    await this.parts.database
      .updateTable("move")
      .set({ state: "done" })
      .where("batch_id", "=", batch.id)
      .where(
        isAmong(
          "position",
          done.map((move) => move.position),
        ),
      )
      .execute();
  }

  async #fail({ batchId, position }: { batchId: number; position: number }, error: string): Promise<void> {
    await this.parts.database
      .updateTable("move")
      .set({ state: "failed", error })
      .where("batch_id", "=", batchId)
      .where("position", "=", position)
      .execute();
  }

  #rows(batchId: number): Promise<MoveTable[]> {
    return this.parts.database
      .selectFrom("move")
      .selectAll()
      .where("batch_id", "=", batchId)
      .orderBy("position")
      .execute();
  }

  async #removeEmptied(moved: readonly PlannedMove[], rootOf: (path: string) => string | undefined): Promise<void> {
    for (const folder of new Set(moved.map(({ from }) => dirname(from)))) {
      const root = rootOf(join(folder, "x"));
      if (root !== undefined) await removeEmptyFolders(folder, root);
    }
  }
}

function withoutExtension(path: string): string {
  const extension = extname(path);
  return extension === "" ? path : path.slice(0, -extension.length);
}
