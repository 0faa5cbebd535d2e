import { isAmong } from "@longbox/sdk";
import type { Kysely } from "kysely";
import { z } from "zod";
import type { Position } from "../contract.js";
import type { DevicePlace } from "../progress/merging.js";
import type { ReadingTables } from "../tables.js";
import { positionSchema } from "../reports.js";
import type { WorkKey } from "./progress-rows.js";

/** The maximum number of devices per work; the least recent one is dropped. */
const mostDevices = 20;

/** The last position of each device. */
export class DeviceRecords {
  readonly #database: Kysely<ReadingTables>;

  constructor(database: Kysely<ReadingTables>) {
    this.#database = database;
  }

  /** Last read first. */
  async list({ userId, issueId }: WorkKey): Promise<DevicePlace[]> {
    const rows = await this.#database
      .selectFrom("device_place")
      .select(["device", "position", "at"])
      .where("user_id", "=", userId)
      .where("issue_id", "=", issueId)
      .orderBy("at", "desc")
      .orderBy("device")
      .execute();
    return rows.map(({ device, position, at }) => ({ device, at, position: readPosition(position) }));
  }

  /**
   * Stores the later of the known position of the device and this one.
   * @param known - the current result of {@link list}
   */
  async put(key: WorkKey, known: readonly DevicePlace[], place: DevicePlace): Promise<void> {
    const last = known.find(({ device }) => device === place.device);
    if (last && last.at > place.at) return;
    const row = { position: JSON.stringify(place.position), at: place.at };
    await this.#database
      .insertInto("device_place")
      .values({ user_id: key.userId, issue_id: key.issueId, device: place.device, ...row })
      .onConflict((conflict) => conflict.columns(["user_id", "issue_id", "device"]).doUpdateSet(row))
      .execute();
    if (!last && known.length >= mostDevices) await this.#forget(key, known.at(-1)!.device);
  }

  async #forget({ userId, issueId }: WorkKey, device: string): Promise<void> {
    await this.#database
      .deleteFrom("device_place")
      .where("user_id", "=", userId)
      .where("issue_id", "=", issueId)
      .where("device", "=", device)
      .execute();
  }

  /** Deletes the positions of all devices, because the work is unread. */
  async clear(userId: number, issueIds: readonly number[]): Promise<void> {
    await this.#database
      .deleteFrom("device_place")
      .where("user_id", "=", userId)
      .where(isAmong("issue_id", issueIds))
      .execute();
  }
}

function readPosition(text: string): Position {
  return z.parse(positionSchema, JSON.parse(text));
}
