import { Conflict, NotFound, type Viewer } from "@longbox/sdk";
import type { Changes } from "../changes.js";
import { recountSeries } from "../counting/counters.js";
import { SeriesNotFound } from "../errors.js";
import { mergeSeries } from "../issues/merging.js";
import type { SearchIndex } from "../searching/search-index.js";
import { reserveIds, type CollectionDatabase, type CollectionTransaction } from "../tables.js";
import { readBefore, type BeforeJoining, type JoinedPair } from "./before-joining.js";
import { partSeries } from "./parting.js";

export interface JoiningParts {
  readonly database: CollectionDatabase;
  readonly search: SearchIndex;
  readonly changes: Changes;
}

/** A series that was joined with another one, which can be undone. */
export interface JoinedSeries {
  readonly id: number;
  readonly title: string;
  readonly joinedAt: string;
  readonly seriesId: number;
  readonly seriesTitle: string;
}

/** Joins two series into one, and undoes that: what is needed for it is kept in the database. */
export class Joining {
  readonly #parts: JoiningParts;

  constructor(parts: JoiningParts) {
    this.#parts = parts;
  }

  /**
   * Afterwards everything of `from` belongs to `to`. @returns the id under which it can be undone
   * @throws {SeriesNotFound} @throws {Conflict} `collection/same-numbers`, `collection/two-volumes`
   */
  async join({ from, to }: JoinedPair, viewer: Viewer): Promise<number> {
    const { database, search, changes } = this.#parts;
    const done = await database.transaction().execute(async (transaction) => {
      await this.#check(transaction, { from, to }, viewer);
      const before = await readBefore(transaction, { from, to }, await findPairs(transaction, { from, to }));
      const merges = await mergeSeries(transaction, search, { from, to });
      await recountSeries(transaction, [to]);
      await search.refresh(transaction, [to]);
      return { id: await keep(transaction, before), merges };
    });
    changes.announceSeries([from, to]);
    changes.announceMerges(done.merges);
    return done.id;
  }

  /** @throws {NotFound} `collection/not-joined` @throws {Conflict} `collection/joined-series-gone` */
  async undo(id: number, viewer: Viewer): Promise<number> {
    const { database, search, changes } = this.#parts;
    if (!(await this.list(viewer)).some((joined) => joined.id === id))
      throw new NotFound("collection/not-joined", "These series were not joined, or that was undone.", { id });
    const { before, parted } = await database.transaction().execute(async (transaction) => {
      const row = await transaction
        .deleteFrom("series_join")
        .where("id", "=", id)
        .returningAll()
        .executeTakeFirstOrThrow();
      const kept = JSON.parse(row.before) as BeforeJoining;
      await checkThere(transaction, kept);
      return { before: kept, parted: await partSeries(transaction, search, kept) };
    });
    changes.announceSeries([before.series.id, before.target.id]);
    // Plugins give back what they had moved.
    changes.announceMerges(parted);
    return before.series.id;
  }

  /**
   * Newest first; those whose series is hidden from the viewer are left out, and so are those that were joined again
   * since.
   */
  async list(viewer: Viewer): Promise<JoinedSeries[]> {
    const rows = await this.#parts.database
      .selectFrom("series_join")
      .innerJoin("series", "series.id", "series_join.to_id")
      .select([
        "series_join.id",
        "series_join.title",
        "series_join.joined_at as joinedAt",
        "series.id as seriesId",
        "series.title as seriesTitle",
        "series.hidden",
      ])
      .orderBy("series_join.id", "desc")
      .execute();
    return rows.filter(({ hidden }) => hidden === 0 || viewer.seesRestricted).map(({ hidden: _, ...joined }) => joined);
  }

  /** Two series that are not to be offered again. @throws {SeriesNotFound} */
  async keepApart({ from, to }: JoinedPair, viewer: Viewer): Promise<void> {
    const { database } = this.#parts;
    await database.transaction().execute(async (transaction) => {
      for (const id of [from, to]) await findVisible(transaction, id, viewer);
      await transaction
        .insertInto("series_apart")
        .values({ one_id: Math.min(from, to), other_id: Math.max(from, to) })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    });
  }

  async #check(transaction: CollectionTransaction, { from, to }: JoinedPair, viewer: Viewer): Promise<void> {
    const source = await findVisible(transaction, from, viewer);
    const target = await findVisible(transaction, to, viewer);
    if (from === to) throw new SeriesNotFound(to);
    if (source.cv_id !== null)
      throw new Conflict(
        "collection/two-volumes",
        "The series that is to go is matched with a volume. Join the other one into it.",
        { from, to },
      );
    const owned = await findOwnedTwice(transaction, { from, to });
    if (owned.length > 0)
      throw new Conflict("collection/same-numbers", `Both series have files of ${owned.slice(0, 5).join(", ")}.`, {
        numbers: owned,
      });
    if (source.type !== target.type)
      throw new Conflict("collection/other-type", "The series are of different types.", { from, to });
  }
}

async function findVisible(transaction: CollectionTransaction, id: number, viewer: Viewer) {
  const series = await transaction
    .selectFrom("series")
    .select(["cv_id", "type", "hidden"])
    .where("id", "=", id)
    .where("state", "=", "tracked")
    .executeTakeFirst();
  if (!series || (series.hidden === 1 && !viewer.seesRestricted)) throw new SeriesNotFound(id);
  return series;
}

/** Issues of one number: they become one. As in `mergeSeries`, the one that is listed stays. */
async function findPairs(transaction: CollectionTransaction, { from, to }: JoinedPair): Promise<JoinedPair[]> {
  const rows = await transaction
    .selectFrom("issue as own")
    .innerJoin("issue as other", "other.sort_key", "own.sort_key")
    .select(["own.id as from", "other.id as to"])
    .where("own.series_id", "=", from)
    .where("other.series_id", "=", to)
    .orderBy("other.listed")
    .orderBy("other.id", "desc")
    .execute();
  return [...new Map(rows.map((row) => [row.from, row])).values()];
}

async function findOwnedTwice(transaction: CollectionTransaction, { from, to }: JoinedPair): Promise<string[]> {
  const rows = await transaction
    .selectFrom("issue as own")
    .innerJoin("issue as other", "other.sort_key", "own.sort_key")
    .select("own.number")
    .where("own.series_id", "=", from)
    .where("other.series_id", "=", to)
    .where("own.owned", "=", 1)
    .where("other.owned", "=", 1)
    .orderBy("own.sort_key")
    .execute();
  return rows.map(({ number }) => number);
}

async function keep(transaction: CollectionTransaction, before: BeforeJoining): Promise<number> {
  const id = await reserveIds(transaction, "series_join", 1);
  const row = { id, from_id: before.series.id, to_id: before.target.id, title: before.series.title };
  await transaction
    .insertInto("series_join")
    .values({ ...row, joined_at: new Date().toISOString(), before: JSON.stringify(before) })
    .execute();
  return id;
}

/** @throws {Conflict} `collection/joined-series-gone` when issues became others since */
async function checkThere(transaction: CollectionTransaction, before: BeforeJoining): Promise<void> {
  for (const { target } of before.issues) {
    const row = await transaction.selectFrom("issue").select("id").where("id", "=", target.id).executeTakeFirst();
    if (!row)
      throw new Conflict("collection/joined-series-gone", "The series changed too much since: this cannot be undone.");
  }
}
