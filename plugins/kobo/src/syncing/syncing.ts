import type { Viewer } from "@longbox/sdk";
import type { Choices } from "../choosing/choices.js";
import type { OfferedShelves } from "../choosing/offered-shelves.js";
import type { Device } from "../devices/devices.js";
import {
  bookEntitlement,
  bookMetadata,
  removedEntitlement,
  revisionOf,
  type Addresses,
  type Book,
} from "../documents/book.js";
import { readingState, stateKey } from "../documents/reading-state.js";
import type { Books } from "./books.js";
import type { Ledger } from "./ledger.js";
import { planSync, type Change, type WantedBook } from "./planning.js";
import { readToken, writeToken } from "./sync-token.js";

export interface SyncParts {
  readonly books: Books;
  readonly choices: Choices;
  readonly offered: OfferedShelves;
  readonly ledger: Ledger;
}

export interface SyncRequest {
  readonly device: Device;
  /** As the device sent it. */
  readonly token: string | undefined;
  readonly viewer: Viewer;
  readonly addresses: Addresses;
}

export interface SyncAnswer {
  readonly items: readonly object[];
  readonly token: string;
  /** More is left: the device asks again at once. */
  readonly continues: boolean;
}

/** How many changes one answer tells. */
const mostItems = 100;
/** How long the selection of a synchronisation is used for its next parts. */
const selectionMs = 60_000;
const mostSelections = 20;

/** Tells devices what has changed on the shelves of their users. */
export class Syncing {
  readonly #selections = new Map<number, { readonly wanted: readonly WantedBook[]; readonly until: number }>();

  constructor(private readonly parts: SyncParts) {}

  async next({ device, token, viewer, addresses }: SyncRequest): Promise<SyncAnswer> {
    const confirmed = readToken(token, device);
    const [wanted, sent] = await Promise.all([this.#wanted(device, viewer), this.parts.ledger.read(device.id)]);
    const plan = planSync(wanted, sent, confirmed);
    const changes = plan.changes.slice(0, mostItems);
    const sequence = await this.parts.ledger.note(device.id, changes, plan);
    const continues = plan.changes.length > changes.length;
    if (continues) this.#keep(device.id, wanted);
    const items = await this.#items(changes, viewer, addresses);
    return { items, token: writeToken(device.id, sequence), continues };
  }

  /** A long synchronisation comes in many parts, for which the library is looked through once. */
  async #wanted(device: Device, viewer: Viewer): Promise<readonly WantedBook[]> {
    const kept = this.#selections.get(device.id);
    this.#selections.delete(device.id);
    if (kept && Date.now() < kept.until) return kept.wanted;
    const { books, choices, offered } = this.parts;
    const ids = new Set<number>();
    for (const shelf of await choices.find(device.user_id))
      for (const id of await offered.issueIds(shelf, viewer)) ids.add(id);
    return (await books.find([...ids], viewer)).map(wantedOf);
  }

  #keep(deviceId: number, wanted: readonly WantedBook[]): void {
    const [oldest] = this.#selections.keys();
    if (this.#selections.size >= mostSelections && oldest !== undefined) this.#selections.delete(oldest);
    this.#selections.set(deviceId, { wanted, until: Date.now() + selectionMs });
  }

  /**
   * What became hidden or was removed since it was selected is left out here, and its removal is told the next time.
   */
  async #items(changes: readonly Change[], viewer: Viewer, addresses: Addresses): Promise<object[]> {
    const told = changes.filter(({ kind }) => kind !== "removed").map(({ issueId }) => issueId);
    const books = new Map((await this.parts.books.find(told, viewer)).map((book) => [book.issue.id, book]));
    return changes.flatMap((change) => {
      if (change.kind === "removed")
        return { ChangedEntitlement: { BookEntitlement: removedEntitlement(change.issueId, addresses) } };
      const book = books.get(change.issueId);
      return book ? itemOf(change.kind, book, addresses) : [];
    });
  }
}

export const wantedOf = (book: Book): WantedBook => ({
  issueId: book.issue.id,
  revision: revisionOf(book),
  state: stateKey(book.state),
});

function itemOf(kind: "new" | "changed" | "state", book: Book, addresses: Addresses): object {
  const state = readingState(addresses.idOf(book.issue.id), book.state);
  if (kind === "state") return { ChangedReadingState: { ReadingState: state } };
  const entitlement = {
    BookEntitlement: bookEntitlement(book, addresses),
    BookMetadata: bookMetadata(book, addresses),
    ReadingState: state,
  };
  return kind === "new" ? { NewEntitlement: entitlement } : { ChangedEntitlement: entitlement };
}
