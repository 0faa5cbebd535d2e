import type { CollectionContract } from "@longbox/collection/contract";
import { isAmong, publicViewer, type KernelUsers, type Viewer } from "@longbox/sdk";
import type { Kysely, Transaction } from "kysely";
import type { Notice, Recipients } from "../contract.js";
import type { DeliveryRecords } from "../keeping/delivery-records.js";
import type { NewNotice, NoticeRecords } from "../keeping/notice-records.js";
import { cut, storedTexts } from "../keeping/notice-texts.js";
import type { PreferenceRecords } from "../keeping/preference-records.js";
import { afterQuietHours, type Preferences } from "../preferences.js";
import type { NotificationTables } from "../tables.js";

export interface TellingParts {
  readonly database: Kysely<NotificationTables>;
  readonly notices: NoticeRecords;
  readonly preferences: PreferenceRecords;
  readonly deliveries: DeliveryRecords;
  readonly library: Pick<CollectionContract, "findSeries" | "findFollowers">;
  readonly users: KernelUsers;
  /** Users have something new to see. */
  readonly told: (userIds: readonly number[]) => void;
  /** Something waits to be sent. */
  readonly toSend: () => void;
}

interface Reader {
  readonly viewer: Viewer;
  readonly preferences: Preferences;
}

const longestKey = 200;

/** Stores notifications for the users who may see and want them, and queues messages to their addresses. */
export class Telling {
  constructor(private readonly parts: TellingParts) {}

  /** @returns the ids of the users who were notified */
  async notify(notice: Notice, recipients: Recipients): Promise<readonly number[]> {
    const userIds = await this.#named(notice, recipients);
    const readers = await this.#readers(userIds, notice);
    if (readers.length === 0) return [];
    const restricted = await this.#isRestricted(notice.seriesIds ?? []);
    const row = rowOf(notice, restricted);
    await this.parts.database.transaction().execute(async (transaction) => {
      for (const reader of readers) await this.#put(transaction, reader, { notice, row });
    });
    const told = readers.map(({ viewer }) => viewer.user.id);
    this.parts.told(told);
    this.parts.toSend();
    return told;
  }

  async #put(
    transaction: Transaction<NotificationTables>,
    { viewer, preferences }: Reader,
    { notice, row }: { readonly notice: Notice; readonly row: SharedRow },
  ): Promise<void> {
    const userId = viewer.user.id;
    const { inApp, addresses } = preferences[notice.category];
    const noticeId = await this.parts.notices.put(transaction, { ...row, user_id: userId, shown: inApp ? 1 : 0 }, [
      ...new Set(notice.seriesIds),
    ]);
    const own = await transaction
      .selectFrom("address")
      .select("id")
      .where("user_id", "=", userId)
      .where("enabled", "=", 1)
      .where("verified", "=", 1)
      .where(isAmong("id", addresses))
      .execute();
    const dueAt = afterQuietHours(row.at, preferences.quiet);
    await this.parts.deliveries.add(
      transaction,
      own.map(({ id }) => ({ noticeId, addressId: id, dueAt })),
    );
  }

  async #named({ seriesIds = [] }: Notice, { userIds = [], permission, followers }: Recipients): Promise<Set<number>> {
    const named = new Set(userIds);
    if (permission !== undefined)
      for (const { id } of await this.parts.users.listWithPermission(permission)) named.add(id);
    if (followers === true)
      for (const { userId } of await this.parts.library.findFollowers(seriesIds)) named.add(userId);
    return named;
  }

  /** The active users who may see all named series and want notifications of this category. */
  async #readers(userIds: ReadonlySet<number>, notice: Notice): Promise<Reader[]> {
    const preferences = await this.parts.preferences.findAll([...userIds]);
    const readers: Reader[] = [];
    const known = new Map<boolean, boolean>();
    for (const userId of userIds) {
      const viewer = await this.parts.users.viewerOf(userId);
      const own = preferences.get(userId);
      if (!viewer || !own || !viewer.may("library.view")) continue;
      const choice = own[notice.category];
      if (!choice.inApp && choice.addresses.length === 0) continue;
      const sees = viewer.seesRestricted;
      if (!known.has(sees)) known.set(sees, await this.#knowsAll(notice.seriesIds ?? [], viewer));
      if (known.get(sees)) readers.push({ viewer, preferences: own });
    }
    return readers;
  }

  async #knowsAll(seriesIds: readonly number[], viewer: Viewer): Promise<boolean> {
    for (const id of new Set(seriesIds)) if (!(await this.parts.library.findSeries(id, viewer))) return false;
    return true;
  }

  async #isRestricted(seriesIds: readonly number[]): Promise<boolean> {
    return !(await this.#knowsAll(seriesIds, publicViewer));
  }
}

/** The part of the notification that is the same for all users. */
type SharedRow = Omit<NewNotice, "user_id" | "shown">;

function rowOf(notice: Notice, restricted: boolean): SharedRow {
  return {
    at: Date.now(),
    category: notice.category,
    level: notice.level ?? "info",
    ...storedTexts(notice),
    url: notice.url ?? null,
    join_key: notice.key === undefined ? null : cut(notice.key, longestKey),
    restricted: restricted ? 1 : 0,
    read: 0,
  };
}
