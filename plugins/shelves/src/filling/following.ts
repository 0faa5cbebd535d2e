import type { CollectionContract } from "@longbox/collection/contract";
import type { ReadingContract } from "@longbox/reading/contract";
import type { KernelUsers, OptionalCapability, PluginContext } from "@longbox/sdk";
import type { RatingRecords } from "../ratings/rating-records.js";
import type { IndexThread } from "../thread/index-thread.js";
import type { Filling } from "./filling.js";
import type { Keeping } from "./keeping.js";
import type { ReaderStates } from "./reader-states.js";
import type { Rebuilding } from "./rebuilding.js";

/** A thread that dies again and again is started again ever later. */
const restartMs = 2_000;

interface FollowingParts {
  readonly thread: IndexThread;
  readonly keeping: Keeping;
  readonly filling: Filling;
  readonly rebuilding: Rebuilding;
  readonly states: ReaderStates;
  readonly ratings: RatingRecords;
  readonly context: Pick<PluginContext, "own" | "log" | "signal" | "changed">;
}

interface Followed {
  readonly library: CollectionContract;
  readonly reading: OptionalCapability<ReadingContract>;
  readonly users: KernelUsers;
}

/** Keeps the index up to date with the collection, with what users read, and through deaths of its thread. */
export class Following {
  readonly #parts: FollowingParts;
  #deaths = 0;

  constructor(parts: FollowingParts) {
    this.#parts = parts;
  }

  start({ library, reading, users }: Followed): void {
    const { context, keeping, states, thread } = this.#parts;
    context.own(library.onSeriesChanged((ids) => keeping.follow(ids)));
    context.own(library.onLibrariesChanged(() => this.#inBackground(this.#followLibraries())));
    context.own(library.onIssuesMerged((merge) => this.#inBackground(this.#moveRatings(merge))));
    context.own(reading.use.onChanged(({ userId, issueIds }) => this.#inBackground(this.followUser(userId, issueIds))));
    context.own(reading.onAvailability(() => states.forgetAll()));
    context.own(users.onChanged((userIds) => this.#inBackground(states.forget(userIds))));
    thread.onDied = () => this.#restart();
    thread.onIdle = () => this.#rest();
    thread.onWoken = () => this.#inBackground(this.#open());
    this.#inBackground(this.#open());
  }

  /** A user read, marked or rated issues. */
  async followUser(userId: number, issueIds: readonly number[]): Promise<void> {
    const { states, context } = this.#parts;
    if (await states.follow(userId, issueIds)) context.changed("shelves", { userIds: [userId] });
  }

  /** Opens the index; one that is not there is built. */
  async #open(): Promise<void> {
    const { keeping, rebuilding } = this.#parts;
    if (!(await keeping.restore())) await rebuilding.ensure();
  }

  #rest(): void {
    const { keeping, states, thread } = this.#parts;
    if (!keeping.mayRest) return;
    // The next question tells the new thread what it has to know.
    states.forgetAll();
    this.#inBackground(thread.rest());
  }

  /** The first library counts for series that are in none. */
  async #followLibraries(): Promise<void> {
    const { filling, rebuilding, context } = this.#parts;
    if (await filling.refreshWords()) await rebuilding.ensure();
    context.changed("shelves");
  }

  #restart(): void {
    const { states, context } = this.#parts;
    // The threads of a plugin that is switched off are ended with it.
    if (context.signal.aborted) return;
    this.#deaths++;
    context.log.warn("The thread of the index ended and is started again", { deaths: this.#deaths });
    states.forgetAll();
    setTimeout(() => this.#inBackground(this.#open()), restartMs * this.#deaths).unref();
  }

  async #moveRatings({ from, to }: { readonly from: number; readonly to: number }): Promise<void> {
    for (const userId of await this.#parts.ratings.move(from, to)) await this.followUser(userId, [to]);
  }

  #inBackground(work: Promise<unknown>): void {
    const { context } = this.#parts;
    work.catch((fault: unknown) => {
      if (!context.signal.aborted) context.log.warn("The index could not be brought up to date", { fault });
    });
  }
}
