import type { Viewer } from "@longbox/sdk";
import type { Kysely } from "kysely";
import type { DownloadTables } from "../tables.js";
import type { Queueing } from "./queueing.js";
import type { ItemState } from "./states.js";

/** What is done to many items at once; what the viewer may not know of stays as it is. */
export class Clearing {
  constructor(
    private readonly database: Kysely<DownloadTables>,
    private readonly queueing: Queueing,
  ) {}

  async clearQueued(viewer: Viewer): Promise<number> {
    return this.#each("queued", viewer, (id) => this.queueing.cancel(id, viewer));
  }

  async retryFailed(viewer: Viewer): Promise<number> {
    return this.#each("failed", viewer, (id) => this.queueing.retry(id, viewer));
  }

  async clearFailed(viewer: Viewer): Promise<number> {
    return this.#each("failed", viewer, (id) => this.queueing.cancel(id, viewer));
  }

  /** @returns for how many it could be done: others may change items at the same time */
  async #each(state: ItemState, viewer: Viewer, act: (id: number) => Promise<unknown>): Promise<number> {
    const all = this.database.selectFrom("item").select("id").where("state", "=", state);
    const rows = await (viewer.seesRestricted ? all : all.where("restricted", "=", 0)).orderBy("id").execute();
    let done = 0;
    for (const { id } of rows)
      await act(id).then(
        () => (done += 1),
        () => undefined,
      );
    return done;
  }
}
