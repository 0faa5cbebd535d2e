import type { CollectionContract } from "@longbox/collection/contract";
import { isLongboxError, systemViewer, type KernelUsers, type Logger, type OptionalCapability } from "@longbox/sdk";
import type { NotificationsContract } from "@longbox/notifications/contract";
import type { Say } from "@longbox/sdk/messages";
import type { Kysely } from "kysely";
import { cleanMessage } from "../clean-messages.js";
import { GivenUp, ReleaseUnusable, TryLater, type Delay } from "../errors.js";
import type { BlocklistRecords } from "../keeping/blocklist-records.js";
import { HistoryRecords } from "../keeping/history-records.js";
import { namesFor } from "../keeping/item-names.js";
import { namedColumns } from "../keeping/named-rows.js";
import type { DownloadSettings } from "../settings.js";
import type { DownloadTables } from "../tables.js";
import { awayPhase, ItemRecords, withoutRelease, type Item } from "./item-records.js";
import type { Leaving } from "./leaving.js";

export interface EndingParts {
  readonly library: Pick<CollectionContract, "findIssues">;
  readonly items: ItemRecords;
  readonly blocklist: BlocklistRecords;
  readonly database: Kysely<DownloadTables>;
  readonly leaving: Leaving;
  readonly users: KernelUsers;
  readonly notifications: OptionalCapability<NotificationsContract>;
  readonly say: Say;
  readonly settings: () => DownloadSettings;
  readonly changed: () => void;
  /** Another turn may come for the item. */
  readonly goOn: () => void;
  readonly log: Logger;
}

/** Delays for one release before another one is tried. */
const mostDelays = 5;
const longestDelayMs = 6 * 3_600_000;

const withoutClient = { client_id: null, grab_key: null, client_download: null, missing_since: null };

/** Decides what becomes of an item that could not go on. */
export class Ending {
  constructor(private readonly parts: EndingParts) {}

  /** Another release, the same one later, or the end; always with a reason. */
  async failed(item: Item, fault: unknown): Promise<void> {
    const reason = isLongboxError(fault) ? cleanMessage(fault) : "Something went wrong inside of the server.";
    if (!isLongboxError(fault))
      this.parts.log.error("An item of the queue failed.", { item: item.id, fault: cleanMessage(fault) });
    if (fault instanceof GivenUp) await this.giveUp(item, reason);
    else if (fault instanceof ReleaseUnusable) await this.unusable(item, reason);
    else if (fault instanceof TryLater) await this.#later(item, reason, fault.delay);
    else if (isLongboxError(fault) && (fault.kind === "not-found" || fault.kind === "bad-input"))
      await this.unusable(item, reason);
    else {
      const afterMs = (isLongboxError(fault) ? (fault.retryAfterSeconds ?? 60) : 60) * 1000;
      await this.#later(item, reason, { afterMs });
    }
    this.parts.changed();
    this.parts.goOn();
  }

  /** The release goes to the blocklist, once, and another one is tried. */
  async unusable(item: Item, reason: string): Promise<void> {
    if (item.release_key === null) return this.giveUp(item, reason);
    const { release_key: key, source_name: source, release_title: title } = item;
    await this.parts.blocklist.add(namedColumns(item), { key, source: source ?? "", title: title ?? "", reason });
    await this.#another(item, reason);
  }

  async giveUp(item: Item, reason: string): Promise<void> {
    // The schedule searches again another day: that nothing was found is no failure.
    if (item.user_id < 0 && item.release === null && item.attempts === 0) {
      await this.parts.items.advance(item.id, "cancel", { error: reason, phase: null });
      return;
    }
    // Both or neither: what is shown as failed stands in the history.
    const ended = await this.parts.database.transaction().execute(async (transaction) => {
      const failed = await new ItemRecords(transaction).advance(item.id, "give up", { error: reason, phase: null });
      if (failed)
        await new HistoryRecords(transaction).add(namedColumns(item), {
          key: `failed ${item.id} ${failed.changed_at}`,
          outcome: "failed",
          release: item.release_title ?? "",
          source: item.source_name ?? "",
          error: reason,
        });
      if (failed) await this.parts.leaving.remember(item, transaction);
      return failed;
    });
    if (!ended) return;
    await this.parts.leaving.removeFiles(item);
    await this.#tell(item, reason);
    this.parts.changed();
  }

  async #another(item: Item, reason: string): Promise<void> {
    const attempts = item.attempts + 1;
    if (attempts >= this.parts.settings().attempts) {
      const tried = attempts === 1 ? "The release" : `${attempts} releases`;
      return this.giveUp({ ...item, attempts }, `${tried} could not be used. ${reason}`);
    }
    // A pack was taken by a person, who decides on another one.
    if (item.kind === "pack") return this.giveUp(item, reason);
    const set = { ...withoutRelease, attempts, next_at: Date.now(), error: reason };
    await this.parts.leaving.behindAfter(item, { event: "again", set });
  }

  async #later(item: Item, reason: string, { afterMs, counts = true, waitsFor }: Delay): Promise<void> {
    const delays = item.delays + (counts ? 1 : 0);
    if (delays > mostDelays && item.release_key !== null) return this.#another(item, reason);
    if (delays > mostDelays * 2) return this.giveUp(item, reason);
    const waitMs = Math.min(longestDelayMs, afterMs * (counts ? 2 ** item.delays : 1));
    const phase = waitsFor === undefined ? "waiting" : awayPhase;
    const set = { delays, next_at: Date.now() + waitMs, error: reason, phase };
    // What a client did not finish is handed over again, as another attempt.
    const leaves = item.client_id !== null && item.path === null;
    if (leaves) await this.parts.leaving.behindAfter(item, { event: "again", set: { ...set, ...withoutClient } });
    else await this.parts.items.advance(item.id, "again", set);
  }

  async #tell(item: Item, reason: string): Promise<void> {
    const { library, notifications, users, say } = this.parts;
    if (!notifications.available()) return;
    const nameOf = await namesFor(library, [item], systemViewer);
    const title = await (item.kind === "pack"
      ? say("failed.pack", { series: item.series_title })
      : say("failed.item", { item: nameOf(item) }));
    const known = item.user_id < 0 ? undefined : await users.find(item.user_id);
    await notifications.use
      .notify(
        {
          category: "failure",
          level: "warning",
          title,
          body: reason,
          url: "/downloads",
          seriesIds: [item.series_id],
          key: `downloads ${item.id}`,
        },
        known ? { userIds: [known.id] } : { permission: "downloads.grab" },
      )
      .catch((fault: unknown) =>
        this.parts.log.warn("Users could not be told of a failed download.", { fault: cleanMessage(fault) }),
      );
  }
}
