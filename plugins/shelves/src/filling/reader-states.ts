import type { ReadingContract, ReadingEntry, ReadingPart, ReadingRange, ReadingState } from "@longbox/reading/contract";
import type { KernelUsers, OptionalCapability, Viewer } from "@longbox/sdk";
import type { RatingRecords } from "../ratings/rating-records.js";
import type { IndexThread } from "../thread/index-thread.js";
import type { IssueState } from "../thread/protocol.js";

/** How many users' states are in the index at once. */
const mostUsers = 100;
const partSize = 500;

interface ReaderStatesParts {
  readonly thread: IndexThread;
  readonly reading: OptionalCapability<ReadingContract>;
  readonly users: KernelUsers;
  readonly ratings: RatingRecords;
}

/** Tells the index what users read and rated, each user's when that user first asks, and then every change. */
export class ReaderStates {
  readonly #parts: ReaderStatesParts;
  /** What was told, the last asked for last. */
  readonly #told = new Map<number, Promise<void>>();

  constructor(parts: ReaderStatesParts) {
    this.#parts = parts;
  }

  /** Resolves once the index knows what this viewer read. */
  async ensure(viewer: Viewer): Promise<void> {
    const { id } = viewer.user;
    this.#parts.thread.stayAwake();
    const known = this.#told.get(id);
    const telling = known ?? this.#tellAll(viewer);
    this.#told.delete(id);
    this.#told.set(id, telling);
    try {
      await telling;
    } catch (fault) {
      this.#told.delete(id);
      throw fault;
    }
    const oldest = this.#told.keys().next().value;
    if (this.#told.size > mostUsers && oldest !== undefined) await this.forget([oldest]);
  }

  /** A user read, marked or rated these. @returns whether the index followed that user */
  async follow(userId: number, issueIds: readonly number[]): Promise<boolean> {
    const told = this.#told.get(userId);
    if (!told) return false;
    await told;
    const viewer = await this.#parts.users.viewerOf(userId);
    if (!viewer) await this.forget([userId]);
    else await this.#tell(viewer, issueIds);
    return true;
  }

  /** They are told again when they next ask: rights decide what of their reading is known. */
  async forget(userIds: readonly number[]): Promise<void> {
    const known = userIds.filter((id) => this.#told.delete(id));
    if (known.length > 0) await this.#parts.thread.run("forgetUsers", { userIds: known });
  }

  /** The thread is a new one. */
  forgetAll(): void {
    this.#told.clear();
  }

  async #tell(viewer: Viewer, issueIds: readonly number[]): Promise<void> {
    const { reading, ratings, thread } = this.#parts;
    const read = reading.available() ? await reading.use.find(viewer, issueIds) : [];
    const states = new Map(read.map((state) => [state.issueId, state]));
    const stars = await ratings.find(viewer.user.id, issueIds);
    await thread.run("states", {
      userId: viewer.user.id,
      states: issueIds.map((id) => toState(id, states.get(id), stars.get(id))),
      replaces: false,
    });
  }

  async #tellAll(viewer: Viewer): Promise<void> {
    const { reading, ratings, thread } = this.#parts;
    const states = new Map<number, ReadingState>();
    if (reading.available()) {
      const { use } = reading;
      for await (const state of everything((range) => use.listContinue(viewer, range)))
        states.set(state.issueId, state);
      for await (const state of everything((range) => use.listFinished(viewer, range)))
        states.set(state.issueId, state);
    }
    const stars = await ratings.listOf(viewer.user.id);
    const ids = new Set([...states.keys(), ...stars.keys()]);
    await thread.run("states", {
      userId: viewer.user.id,
      states: Array.from(ids, (id) => toState(id, states.get(id), stars.get(id))),
      replaces: true,
    });
  }
}

async function* everything(
  list: (range: ReadingRange) => Promise<ReadingPart<ReadingEntry>>,
): AsyncGenerator<ReadingState> {
  for (let after: string | undefined; ;) {
    const { items, next } = await list({ limit: partSize, after });
    for (const { state } of items) yield state;
    if (next === undefined) return;
    after = next;
  }
}

function toState(issueId: number, state: ReadingState | undefined, stars: number | undefined): IssueState {
  return {
    issueId,
    read: state === undefined ? "unread" : state.completed ? "read" : "reading",
    readAt: state === undefined ? 0 : Math.floor(Date.parse(state.at) / 60_000),
    rating: stars ?? 0,
  };
}
