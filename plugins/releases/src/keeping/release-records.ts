import type { ReleasedIssue, VolumeSummary } from "@longbox/metadata/contract";
import { foldText, inBatches, isAmong } from "@longbox/sdk";
import type { Selectable, Transaction } from "kysely";
import type { ReleaseDatabase, ReleaseTable, ReleaseTables } from "../tables.js";
import type { Range } from "../weeks.js";

/** A release with its publisher, as far as it is known. */
export interface ReleaseRecord extends Selectable<ReleaseTable> {
  readonly publisher: string | null;
  readonly publisher_key: string | null;
}

/** What the provider says of a release. */
type Said = Pick<ReleaseTable, "id" | "volume_id" | "volume_name" | "number" | "title" | "store_date" | "has_image">;

/** The releases that are known, and the weeks that were asked for. */
export class ReleaseRecords {
  constructor(private readonly database: ReleaseDatabase) {}

  /** By day, publisher and series; those without a publisher come last. */
  async list({ from, to }: Range): Promise<ReleaseRecord[]> {
    return await this.#releases()
      .where("release.store_date", ">=", from)
      .where("release.store_date", "<=", to)
      .orderBy("release.store_date")
      .orderBy("volume.publisher_key", (order) => order.asc().nullsLast())
      .orderBy("release.volume_name")
      .orderBy("release.id")
      .execute();
  }

  async find(id: number): Promise<ReleaseRecord | undefined> {
    return await this.#releases().where("release.id", "=", id).executeTakeFirst();
  }

  #releases() {
    return this.database
      .selectFrom("release")
      .leftJoin("volume", "volume.id", "release.volume_id")
      .where("release.listed", "=", 1)
      .selectAll("release")
      .select(["volume.publisher", "volume.publisher_key"]);
  }

  /** When each of these weeks was asked for, in milliseconds since 1970; weeks that never were are left out. */
  async askedAt(weeks: readonly string[]): Promise<Map<string, number>> {
    const rows = await this.database.selectFrom("week").selectAll().where(isAmong("week", weeks)).execute();
    return new Map(rows.map(({ week, asked_at }) => [week, asked_at]));
  }

  /** Publishers of releases that are known, and how many releases each has from a day on. */
  async listPublishers(from: string): Promise<Array<{ publisher: string; key: string; releases: number }>> {
    const rows = await this.database
      .selectFrom("release")
      .innerJoin("volume", "volume.id", "release.volume_id")
      .where("release.store_date", ">=", from)
      .where("release.listed", "=", 1)
      .where("volume.publisher_key", "is not", null)
      .groupBy("volume.publisher_key")
      .select(["volume.publisher_key as key", (eb) => eb.fn.min("volume.publisher").as("publisher")])
      .select((eb) => eb.fn.countAll<number>().as("releases"))
      .orderBy("volume.publisher_key")
      .execute();
    return rows.map(({ key, publisher, releases }) => ({
      key: key!,
      publisher: publisher!,
      releases: Number(releases),
    }));
  }

  /** Those of these volumes whose publisher was not asked for, or not found, since a moment. */
  async volumesToAsk(ids: readonly number[], since: number): Promise<number[]> {
    const known = await this.database
      .selectFrom("volume")
      .select("id")
      .where(isAmong("id", ids))
      .where((eb) => eb.or([eb("publisher", "is not", null), eb("asked_at", ">=", since)]))
      .execute();
    const there = new Set(known.map(({ id }) => id));
    return [...new Set(ids)].filter((id) => id > 0 && !there.has(id));
  }

  async putVolumes(ids: readonly number[], found: readonly VolumeSummary[]): Promise<void> {
    const publishers = new Map(found.map(({ id, publisher }) => [id, publisher]));
    const rows = ids.map((id) => {
      const publisher = publishers.get(id) ?? null;
      return { id, publisher, publisher_key: publisher && foldText(publisher), asked_at: Date.now() };
    });
    for (const some of inBatches(rows))
      await this.database
        .insertInto("volume")
        .values(some)
        .onConflict((conflict) =>
          conflict.column("id").doUpdateSet((eb) => ({
            publisher: eb.ref("excluded.publisher"),
            publisher_key: eb.ref("excluded.publisher_key"),
            asked_at: eb.ref("excluded.asked_at"),
          })),
        )
        .execute();
  }

  /**
   * Keeps what the provider lists for a week, in one transaction. What it no longer lists goes, unless it lists nothing
   * at all: that is more often a bad day of the provider than a week without releases.
   * @returns whether anything is other than before
   */
  async putWeek(week: string, range: Range, listed: readonly ReleasedIssue[]): Promise<boolean> {
    const said = new Map(listed.flatMap((issue) => (isWithin(issue, range) ? [[issue.cvIssueId, toSaid(issue)]] : [])));
    return await this.database.transaction().execute(async (transaction) => {
      const known = await knownOf(transaction, range, [...said.keys()]);
      const changed = await write(transaction, [...said.values()], known);
      const gone =
        said.size === 0
          ? []
          : [...known.values()].filter(({ id, listed: is }) => is === 1 && !said.has(id)).map(({ id }) => id);
      await transaction.updateTable("release").set({ listed: 0 }).where(isAmong("id", gone)).execute();
      await transaction
        .insertInto("week")
        .values({ week, asked_at: Date.now() })
        .onConflict((conflict) => conflict.column("week").doUpdateSet({ asked_at: Date.now() }))
        .execute();
      return changed || gone.length > 0;
    });
  }

  /** Forgets what came out before a day. @returns how many releases */
  async forgetBefore(day: string, week: string): Promise<number> {
    const gone = await this.database.deleteFrom("release").where("store_date", "<", day).returning("id").execute();
    await this.database.deleteFrom("week").where("week", "<", week).execute();
    await this.database
      .deleteFrom("told")
      .where((eb) =>
        eb.not(eb.exists(eb.selectFrom("release").select("release.id").whereRef("release.id", "=", "told.release_id"))),
      )
      .execute();
    return gone.length;
  }
}

const isWithin = ({ storeDate, volumeId }: ReleasedIssue, { from, to }: Range): boolean =>
  storeDate !== undefined && volumeId > 0 && storeDate >= from && storeDate <= to;

function toSaid(issue: ReleasedIssue): Said {
  return {
    id: issue.cvIssueId,
    volume_id: issue.volumeId,
    volume_name: issue.volumeName || `Volume ${issue.volumeId}`,
    number: issue.number,
    title: issue.title ?? null,
    store_date: issue.storeDate!,
    has_image: issue.imageUrl === undefined ? 0 : 1,
  };
}

/** What is known for the days of the range, and of the issues that are listed, whichever day they had. */
async function knownOf(transaction: Transaction<ReleaseTables>, { from, to }: Range, ids: readonly number[]) {
  const all = transaction.selectFrom("release").selectAll();
  const rows = [
    ...(await all.where("store_date", ">=", from).where("store_date", "<=", to).execute()),
    ...(await all.where(isAmong("id", ids)).execute()),
  ];
  return new Map(rows.map((row) => [row.id, row]));
}

/** @returns whether anything of it was new or other than before */
async function write(
  transaction: Transaction<ReleaseTables>,
  said: readonly Said[],
  known: ReadonlyMap<number, Selectable<ReleaseTable>>,
): Promise<boolean> {
  const now = Date.now();
  const rows = said.flatMap((row): ReleaseTable[] => {
    const before = known.get(row.id);
    if (before?.listed === 1 && isSame(before, row)) return [];
    const first_seen = before?.first_seen ?? now;
    return [{ ...row, listed: 1, first_seen, changed_at: now, revision: before ? before.revision + 1 : 0 }];
  });
  for (const some of inBatches(rows)) {
    await transaction
      .deleteFrom("release")
      .where(
        isAmong(
          "id",
          some.map(({ id }) => id),
        ),
      )
      .execute();
    await transaction.insertInto("release").values(some).execute();
  }
  return rows.length > 0;
}

const isSame = (one: Said, other: Said): boolean =>
  one.volume_id === other.volume_id &&
  one.volume_name === other.volume_name &&
  one.number === other.number &&
  one.title === other.title &&
  one.store_date === other.store_date &&
  one.has_image === other.has_image;
