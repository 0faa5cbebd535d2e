import { SparseColumn } from "../columns/columns.js";
import { fixedValues } from "../browsing/facets.js";
import type { IssueState } from "../thread/protocol.js";
import type { Documents } from "./documents.js";

/** What one user read and rated, by document. */
interface UserColumns {
  readonly generation: number;
  readonly read: SparseColumn;
  readonly rating: SparseColumn;
  readonly readAt: ReadonlyMap<number, number>;
}

/** What users have to do with issues; of each user as much as was told. */
export class UserStates {
  readonly #states = new Map<number, Map<number, IssueState>>();
  readonly #columns = new Map<number, UserColumns>();

  put(userId: number, states: readonly IssueState[], replaces: boolean): void {
    const known = replaces ? new Map<number, IssueState>() : this.#states.get(userId);
    // Changes of a user whose states were never asked for are read with all of them, once they are.
    if (!known) return;
    for (const state of states) {
      if (state.read === "unread" && state.rating === 0) known.delete(state.issueId);
      else known.set(state.issueId, state);
    }
    this.#states.set(userId, known);
    this.#columns.delete(userId);
  }

  forget(userId: number): void {
    this.#states.delete(userId);
    this.#columns.delete(userId);
  }

  columnsOf(userId: number, documents: Documents): UserColumns {
    const known = this.#columns.get(userId);
    if (known?.generation === documents.generation) return known;
    const columns = columnsOf(this.#states.get(userId)?.values() ?? [], documents);
    this.#columns.set(userId, columns);
    return columns;
  }
}

function columnsOf(states: Iterable<IssueState>, documents: Documents): UserColumns {
  const [read, rating, readAt] = [new Map<number, number>(), new Map<number, number>(), new Map<number, number>()];
  for (const state of states) {
    const document = documents.find(state.issueId);
    if (document === undefined) continue;
    const place = fixedValues.read.indexOf(state.read);
    if (place > 0) read.set(document, place);
    if (state.rating > 0) rating.set(document, state.rating);
    if (state.readAt > 0) readAt.set(document, state.readAt);
  }
  return {
    generation: documents.generation,
    read: new SparseColumn(read),
    rating: new SparseColumn(rating),
    readAt,
  };
}
