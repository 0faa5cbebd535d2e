import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "@longbox/sdk";
import type { Kysely, Updateable } from "kysely";
import { cleanMessage } from "../clean-messages.js";
import type { Places } from "../deciding/places.js";
import { readRelease } from "../deciding/release-shape.js";
import type { DownloadTables, ItemTable } from "../tables.js";
import { ItemRecords, type Item } from "./item-records.js";
import type { ItemEvent } from "./states.js";

export interface LeavingParts {
  readonly database: Kysely<DownloadTables>;
  readonly places: Places;
  /** Where this server's own downloads lie, each attempt in a folder of its own. */
  readonly folder: string;
  /** Whether plugins that start with the server do not run yet. */
  readonly areStarting: () => boolean;
  readonly log: Logger;
}

const mostTries = 50;
const shortestMs = 10_000;
const longestMs = 3_600_000;

/**
 * Cleans up after attempts: files on the disk, and downloads that a client still has, also when it cannot be reached
 * now.
 */
export class Leaving {
  constructor(private readonly parts: LeavingParts) {}

  folderOf(grabKey: string): string {
    return join(this.parts.folder, grabKey);
  }

  /**
   * Moves an item on and remembers what its attempt leaves at the client, both or neither: after a stop in between, no
   * item would name the download. Removes the attempt's files from the disk.
   * @returns the item as it is afterwards; undefined when the event came too late, and nothing was done
   */
  async behindAfter(
    item: Item,
    { event, set }: { readonly event: ItemEvent; readonly set: Updateable<ItemTable> },
  ): Promise<Item | undefined> {
    const moved = await this.parts.database.transaction().execute(async (transaction) => {
      const next = await new ItemRecords(transaction).advance(item.id, event, set);
      if (next) await this.remember(item, transaction);
      return next;
    });
    if (moved) await this.removeFiles(item);
    return moved;
  }

  /** The same for an item that has moved on already. */
  async behind(item: Item): Promise<void> {
    await this.remember(item, this.parts.database);
    await this.removeFiles(item);
  }

  /** Only what is at a client: files on the disk are removed by `behind`. */
  async remember(item: Item, database: Kysely<DownloadTables>): Promise<void> {
    if (item.grab_key === null || item.client_id === null) return;
    await database
      .insertInto("leftover")
      .values({
        client_id: item.client_id,
        grab_key: item.grab_key,
        info_hash: item.release === null ? null : (readRelease(item.release).infoHash ?? null),
        client_download: item.client_download,
        delete_files: 1,
        tries: 0,
        next_at: Date.now(),
      })
      .execute();
  }

  /** The files of an attempt of this server's own. */
  async removeFiles({ grab_key, client_id }: Item): Promise<void> {
    if (grab_key !== null && client_id === null) await rm(this.folderOf(grab_key), { recursive: true, force: true });
  }

  /**
   * Removes the files of attempts that ended right before the server stopped, so that they were not removed then.
   * @param underWay - the items whose files are still needed
   */
  async removeFilesBut(underWay: readonly Item[]): Promise<void> {
    const needed = new Set(underWay.map(({ grab_key }) => grab_key));
    for (const name of await readdir(this.parts.folder)) {
      if (needed.has(name)) continue;
      await rm(join(this.parts.folder, name), { recursive: true, force: true }).catch((fault: unknown) =>
        this.parts.log.warn("Files of a download that has ended could not be removed.", {
          folder: name,
          fault: cleanMessage(fault),
        }),
      );
    }
  }

  /**
   * Removes what is left at clients, as far as they answer.
   * @returns when to call again; undefined when nothing is left
   */
  async clean(): Promise<number | undefined> {
    const { database, areStarting } = this.parts;
    // A client that is about to come is no try that failed.
    if (areStarting()) return Date.now() + 1_000;
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
