import type { Issue } from "@longbox/collection/contract";
import type { ReadingContract } from "@longbox/reading/contract";
import type { OptionalCapability, Viewer } from "@longbox/sdk";
import type { ReaderStates } from "../filling/reader-states.js";
import type { IndexThread } from "../thread/index-thread.js";
import type { Suggestion } from "../thread/protocol.js";
import type { Browsing, ShelfItem } from "./browsing.js";

/** How many of the series that were finished last lead to suggestions, and how many are looked at for that. */
const mostReasons = 3;
const seriesLookedAt = 6;
const fewestItems = 2;

export interface Recommended {
  readonly because: Issue;
  readonly items: ReadonlyArray<ShelfItem & { readonly shared: Suggestion["shared"] }>;
}

interface RecommendingParts {
  readonly browsing: Browsing;
  readonly thread: IndexThread;
  readonly states: ReaderStates;
  readonly reading: OptionalCapability<ReadingContract>;
}

/**
 * "Because you read …": what shares people, characters or arcs with what a viewer finished last. Nothing leaves the
 * server.
 */
export class Recommending {
  constructor(private readonly parts: RecommendingParts) {}

  async list(viewer: Viewer, limit: number): Promise<readonly Recommended[]> {
    const { reading, states } = this.parts;
    if (!reading.available()) return [];
    await states.ensure(viewer);
    const found: Recommended[] = [];
    const taken = new Set<number>();
    for (const { issue } of await reading.use.listFinishedSeries(viewer, { limit: seriesLookedAt })) {
      const items = await this.#like(issue, limit, viewer);
      const fresh = items.filter((item) => !taken.has(item.issue.seriesId));
      if (fresh.length < fewestItems) continue;
      for (const item of fresh) taken.add(item.issue.seriesId);
      if (found.push({ because: issue, items: fresh }) === mostReasons) break;
    }
    return found;
  }

  async #like(issue: Issue, limit: number, viewer: Viewer): Promise<Recommended["items"]> {
    const { browsing, thread } = this.parts;
    const unread = { values: { owned: ["yes"], read: ["unread"] }, q: "" };
    const question = await browsing.questions.make(unread, viewer);
    const suggested = await thread.run("similar", { question, issueId: issue.id, limit });
    const sharedOf = new Map(suggested.map(({ issueId, shared }) => [issueId, shared]));
    const items = await browsing.shown([...sharedOf.keys()], viewer);
    return items.map((item) => ({ ...item, shared: sharedOf.get(item.issue.id) ?? [] }));
  }
}
