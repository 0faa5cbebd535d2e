import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "@longbox/sdk";
import type { Kysely } from "kysely";
import { cleanMessage } from "../clean-messages.js";
import type { Places } from "../deciding/places.js";
import { readRelease } from "../deciding/release-shape.js";
import type { DownloadTables } from "../tables.js";
import type { Item } from "./item-records.js";

export interface LeavingParts {
  readonly database: Kysely<DownloadTables>;
  readonly places: Places;
  /** Where this server's own downloads lie, each attempt in a folder of its own. */
  readonly folder: string;
  readonly log: Logger;
}

const mostTries = 50;
const shortestMs = 10_000;
const longestMs = 3_600_000;

/** Cleans up after attempts: files on the disk, and downloads that a client still has, also when it cannot be reached now. */
export class Leaving {
  constructor(private readonly parts: LeavingParts) {}

  folderOf(grabKey: string): string {
    return join(this.parts.folder, grabKey);
  }

  /** Remembers what an attempt leaves at its client, and removes its files from the disk. */
  async behind(item: Item, { deleteFiles }: { readonly deleteFiles: boolean }): Promise<void> {
    if (item.grab_key === null) return;
    if (item.client_id === null) return rm(this.folderOf(item.grab_key), { recursive: true, force: true });
    await this.parts.database
      .insertInto("leftover")
      .values({
        client_id: item.client_id,
        grab_key: item.grab_key,
        info_hash: item.release === null ? null : (readRelease(item.release).infoHash ?? null),
        client_download: item.client_download,
        delete_files: deleteFiles ? 1 : 0,
        tries: 0,
        next_at: Date.now(),
      })
      .execute();
  }

  /** Removes what is left at clients, as far as they answer. @returns when to call again; undefined when nothing is left */
  async clean(): Promise<number | undefined> {
    const { database } = this.parts;
    const due = await database
      .selectFrom("leftover")
      .selectAll()
      .where("next_at", "<=", Date.now())
      .orderBy("id")
      .limit(50)
      .execute();
    for (const row of due)
      try {
        await this.#remove(row);
        await database.deleteFrom("leftover").where("id", "=", row.id).execute();
      } catch (fault) {
        await this.#again(row, fault);
      }
    const { at } = await database
      .selectFrom("leftover")
      .select((eb) => eb.fn.min<number | null>("next_at").as("at"))
      .executeTakeFirstOrThrow();
    return at ?? undefined;
  }

  async #remove(row: {
    client_id: string;
    grab_key: string;
    info_hash: string | null;
    client_download: string | null;
    delete_files: number;
  }): Promise<void> {
    const client = this.parts.places.client(row.client_id);
    if (!client) throw new Error("The client is not there.");
    const id =
      row.client_download ?? (await client.find({ key: row.grab_key, infoHash: row.info_hash ?? undefined }))?.id;
    if (id !== undefined) await client.remove(id, { deleteFiles: row.delete_files === 1 });
  }

  async #again(row: { id: number; tries: number; client_id: string }, fault: unknown): Promise<void> {
    const tries = row.tries + 1;
    if (tries >= mostTries) {
      this.parts.log.warn("A download could not be removed from its client.", {
        client: row.client_id,
        fault: cleanMessage(fault),
      });
      await this.parts.database.deleteFrom("leftover").where("id", "=", row.id).execute();
      return;
    }
    const nextAt = Date.now() + Math.min(longestMs, shortestMs * 2 ** Math.min(tries, 12));
    await this.parts.database
      .updateTable("leftover")
      .set({ tries, next_at: nextAt })
      .where("id", "=", row.id)
      .execute();
  }
}
