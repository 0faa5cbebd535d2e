import { givenRows, isAmong } from "@longbox/sdk";
import type { Kysely } from "kysely";
import { z } from "zod";
import type { Position } from "../contract.js";
import type { DevicePlace } from "../progress/merging.js";
import type { DevicePlaceTable, ReadingTables } from "../tables.js";
import { positionSchema } from "../reports.js";
import { givenWorks, type WorkKey } from "./progress-rows.js";

/** The maximum number of devices per work; the least recent one is dropped. */
const mostDevices = 20;
const placeColumns = { user_id: "id", issue_id: "id", device: "text", position: "text", at: "instant" } as const;

/** The places of a work's devices as they are stored, and as they should be. */
export interface ChangedPlaces {
  readonly key: WorkKey;
  readonly storedPlaces: readonly DevicePlace[];
  readonly places: readonly DevicePlace[];
}

/**
 * The places with the later of the known one of a device and this one.
 * @param known - last read first, as the result is
 */
export function withPlace(
  known: readonly DevicePlace[],
  { device, position, at }: DevicePlace,
): readonly DevicePlace[] {
  const last = known.find((place) => place.device === device);
  if (last && last.at > at) return known;
  const others = last ? known.filter((place) => place !== last) : known.slice(0, mostDevices - 1);
  return [{ device, position, at }, ...others].sort(
    (one, other) => other.at - one.at || (one.device < other.device ? -1 : 1),
  );
}

/** The last position of each device. */
export class DeviceRecords {
  readonly #database: Kysely<ReadingTables>;

  constructor(database: Kysely<ReadingTables>) {
    this.#database = database;
  }

  /** Last read first. */
  async list(work: WorkKey): Promise<readonly DevicePlace[]> {
    return (await this.listEach([work]))[0] ?? [];
  }

  /** For each of these works, last read first. */
  async listEach(works: readonly WorkKey[]): Promise<DevicePlace[][]> {
    const rows = await this.#database
      .selectFrom("device_place")
      .innerJoin(givenWorks(works), (join) =>
        join.onRef("device_place.user_id", "=", "given.user_id").onRef("device_place.issue_id", "=", "given.issue_id"),
      )
      .selectAll("device_place")
      .orderBy("at", "desc")
      .orderBy("device")
      .execute();
    return works.map(({ userId, issueId }) =>
      rows
        .filter((row) => row.user_id === userId && row.issue_id === issueId)
        .map(({ device, position, at }) => ({ device, at, position: readPosition(position) })),
    );
  }

  /** Stores what has changed since the places of these works were listed. */
  async replace(works: readonly ChangedPlaces[]): Promise<void> {
    const rows = works.flatMap(({ key, storedPlaces, places }) =>
      places
        .filter((place) => !storedPlaces.includes(place))
        .map(({ device, position, at }) => ({ ...columnsOf(key), device, position: JSON.stringify(position), at })),
    );
    await this.#put(rows);
    for (const { key, storedPlaces, places } of works) {
      const kept = new Set(places.map(({ device }) => device));
      for (const { device } of storedPlaces) if (!kept.has(device)) await this.#forget(key, device);
    }
  }

  async #put(rows: readonly DevicePlaceTable[]): Promise<void> {
    const columns = ["user_id", "issue_id", "device", "position", "at"] as const;
    await this.#database
      .insertInto("device_place")
      .columns(columns)
      .expression((from) =>
        from.selectFrom(givenRows(placeColumns, rows).as("given")).select(columns).where(from.lit(true)),
      )
      .onConflict((conflict) =>
        conflict
          .columns(["user_id", "issue_id", "device"])
          .doUpdateSet((set) => ({ position: set.ref("excluded.position"), at: set.ref("excluded.at") })),
      )
      .execute();
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

function columnsOf({ userId, issueId }: WorkKey): Pick<DevicePlaceTable, "user_id" | "issue_id"> {
  return { user_id: userId, issue_id: issueId };
}
