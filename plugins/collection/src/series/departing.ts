import { basename, dirname } from "node:path";
import { givenRows, inBatches } from "@longbox/sdk";
import { sql } from "kysely";
import type { Changes } from "../changes.js";
import { recountIssues, recountSeries } from "../counting/counters.js";
import type { CollectionDatabase, CollectionTransaction } from "../tables.js";

/** Files that moved, and files that are gone. */
export class Departing {
  readonly #database: CollectionDatabase;
  readonly #changes: Changes;

  constructor(database: CollectionDatabase, changes: Changes) {
    this.#database = database;
    this.#changes = changes;
  }

  /** Moves may form chains and cycles, so all paths are freed before any is taken. */
  async moveFiles(moves: readonly Move[]): Promise<void> {
    const touched = await this.#database.transaction().execute(async (transaction) => {
      const known = await findFiles(
        transaction,
        moves.map((move) => move.from),
      );
      const leaving = moves.filter((move) => known.has(move.from));
      for (const some of inBatches(moves)) await leave(transaction, some);
      const displaced = await take(
        transaction,
        leaving.map((move) => move.to),
      );
      for (const some of inBatches(moves)) await arrive(transaction, some);
      await followFolders(transaction, leaving, known);
      await settle(transaction, displaced);
      return [...known.values(), ...displaced].map((row) => row.series_id);
    });
    this.#changes.announceSeries(touched);
  }

  /** A pinned folder means this series and no other; the names of its files do not matter. */
  async pinFolder(seriesId: number, folder: string | undefined): Promise<void> {
    await this.#database.transaction().execute(async (transaction) => {
      if (folder === undefined)
        return transaction.updateTable("series").set({ pinned: 0 }).where("id", "=", seriesId).execute();
      await transaction
        .updateTable("series")
        .set({ pinned: 0 })
        .where("path", "=", folder)
        .where("id", "!=", seriesId)
        .execute();
      return transaction.updateTable("series").set({ path: folder, pinned: 1 }).where("id", "=", seriesId).execute();
    });
    this.#changes.announceSeries([seriesId]);
  }

  /** Hand assignments are kept: they are remembered against the path. */
  async removeFiles(paths: readonly string[]): Promise<void> {
    const touched = await this.#database.transaction().execute(async (transaction) => {
      const gone = await take(transaction, paths);
      await settle(transaction, gone);
      return gone.map((row) => row.series_id);
    });
    this.#changes.announceSeries(touched);
  }
}

interface Move {
  readonly from: string;
  readonly to: string;
}

interface Holder {
  readonly issue_id: number;
  readonly series_id: number;
}

/** A temporary path of a file while its goal is being freed. No real file has it, since real paths are absolute. */
const waiting = "moving:";

async function leave(transaction: CollectionTransaction, moves: readonly Move[]): Promise<void> {
  const paths = moves.map((move) => move.from);
  const parked = sql<string>`${waiting} || path`;
  await transaction.updateTable("file").set({ path: parked }).where("path", "in", paths).execute();
  await transaction.updateTable("assignment").set({ path: parked }).where("path", "in", paths).execute();
}

/** An assignment that was remembered against the new place meant another file. */
async function arrive(transaction: CollectionTransaction, moves: readonly Move[]): Promise<void> {
  const rows = moves.map(({ from, to }) => ({ old_path: `${waiting}${from}`, new_path: to, new_name: basename(to) }));
  const given = givenRows({ old_path: "text", new_path: "text", new_name: "text" }, rows).as("given");
  await transaction
    .deleteFrom("assignment")
    .where(
      "path",
      "in",
      moves.map((move) => move.to),
    )
    .execute();
  await transaction
    .updateTable("file")
    .from(given)
    .set((eb) => ({ path: eb.ref("given.new_path"), name: eb.ref("given.new_name") }))
    .whereRef("file.path", "=", "given.old_path")
    .execute();
  await transaction
    .updateTable("assignment")
    .from(given)
    .set((eb) => ({ path: eb.ref("given.new_path") }))
    .whereRef("assignment.path", "=", "given.old_path")
    .execute();
}

async function findFiles(transaction: CollectionTransaction, paths: readonly string[]): Promise<Map<string, Holder>> {
  const found = new Map<string, Holder>();
  for (const some of inBatches(paths)) {
    for (const row of await transaction
      .selectFrom("file")
      .select(["path", "issue_id", "series_id"])
      .where("path", "in", some)
      .execute())
      found.set(row.path, row);
  }
  return found;
}

async function take(transaction: CollectionTransaction, paths: readonly string[]): Promise<Holder[]> {
  const taken: Holder[] = [];
  for (const some of inBatches(paths))
    taken.push(
      ...(await transaction
        .deleteFrom("file")
        .where("path", "in", some)
        .returning(["issue_id", "series_id"])
        .execute()),
    );
  return taken;
}

/** The new folder of the files belongs to the same series from now on. */
async function followFolders(
  transaction: CollectionTransaction,
  moves: readonly Move[],
  known: ReadonlyMap<string, Holder>,
): Promise<void> {
  const ways = new Map<string, { seriesId: number; from: string; to: string }>();
  for (const { from, to } of moves) {
    const way = { seriesId: (known.get(from) as Holder).series_id, from: dirname(from), to: dirname(to) };
    if (way.from !== way.to) ways.set(`${way.seriesId} ${way.from} ${way.to}`, way);
  }
  for (const { seriesId, from, to } of ways.values()) {
    const sources = await transaction
      .selectFrom("series_source")
      .selectAll()
      .where("series_id", "=", seriesId)
      .where("folder", "=", from)
      .execute();
    const rows = sources.map((source) => ({ ...source, folder: to }));
    if (rows.length > 0)
      await transaction
        .insertInto("series_source")
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    await transaction
      .updateTable("series")
      .set({ path: to })
      .where("id", "=", seriesId)
      .where("path", "=", from)
      .where("pinned", "=", 0)
      .execute();
  }
}

/**
 * Updates the counters, and removes from view what only files had brought: such issues and series are remembered, so
 * that they get their ids back.
 */
export async function settle(transaction: CollectionTransaction, holders: readonly Holder[]): Promise<void> {
  const issueIds = [...new Set(holders.map((row) => row.issue_id))];
  const seriesIds = [...new Set(holders.map((row) => row.series_id))];
  await recountIssues(transaction, issueIds);
  for (const ids of inBatches(issueIds)) {
    await transaction
      .updateTable("issue")
      .set({ present: 0 })
      .where("id", "in", ids)
      .where("owned", "=", 0)
      .where("listed", "=", 0)
      .where("pick", "is", null)
      .execute();
  }
  await recountSeries(transaction, seriesIds);
  for (const ids of inBatches(seriesIds)) {
    await transaction
      .updateTable("series")
      .set({ state: "vanished" })
      .where("id", "in", ids)
      .where("origin", "=", "scan")
      .where("state", "=", "tracked")
      .where("files", "=", 0)
      .where((eb) =>
        eb.not(
          eb.exists(eb.selectFrom("follow").select("follow.user_id").whereRef("follow.series_id", "=", "series.id")),
        ),
      )
      .execute();
  }
}
