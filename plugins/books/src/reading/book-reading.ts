import type { DevicePosition, Position, ReadingContract, ReadingState } from "@longbox/reading/contract";
import type { Viewer } from "@longbox/sdk";
import type { FindingBooks } from "../finding/finding-books.js";
import type { PlaceRecords, PlaceWords } from "./place-records.js";

/** A report of a reading program. */
export interface BookReport extends PlaceWords {
  readonly locator: string;
  /** Of the whole book, 0 to 1. */
  readonly fraction: number;
  readonly device: string;
  /** ISO 8601; undefined when it is read now. */
  readonly at: string | undefined;
  readonly completed: boolean | undefined;
  readonly mayGoBack: boolean;
  readonly restart: boolean;
}

/** How far a user is in a book. */
export interface BookProgress extends PlaceWords {
  readonly locator: string;
  readonly fraction: number;
  readonly completed: boolean;
  readonly device?: string | undefined;
  /** ISO 8601, UTC; null when the book was never begun. */
  readonly at: string | null;
}

/** A place of another device. */
export type FurtherPlace = Pick<BookProgress, "locator" | "fraction"> & {
  readonly device: string;
  readonly at: string;
};

interface Parts {
  readonly books: FindingBooks;
  readonly reading: ReadingContract;
  readonly places: PlaceRecords;
}

const notBegun: BookProgress = { locator: "", fraction: 0, completed: false, at: null };
/** How many states are read at once. */
const atOnce = 200;

/** The positions of users in books. They are kept by `reading`, so that every program and statistic sees them. */
export class BookReading {
  constructor(private readonly parts: Parts) {}

  /** @param device - whose own position does not count for `further` @throws {BookNotFound} */
  async find(
    viewer: Viewer,
    id: number,
    device: string,
  ): Promise<{ progress: BookProgress; further: FurtherPlace | undefined }> {
    const { books, reading } = this.parts;
    const issue = await books.getIssue(id, viewer);
    const [[state], further] = await Promise.all([
      reading.find(viewer, [issue.id]),
      reading.findFurther(viewer, issue.id, device),
    ]);
    const progress = state ? await this.#withWords(viewer, state) : notBegun;
    return { progress, further: further && furtherPlace(further) };
  }

  /**
   * Takes a report. One that comes late, or is of another device, never moves the position back.
   * @throws {BookNotFound}
   */
  async report(viewer: Viewer, id: number, report: BookReport): Promise<BookProgress> {
    const { books, reading, places } = this.parts;
    const issue = await books.getIssue(id, viewer);
    const { locator, fraction, device, at, completed, mayGoBack, restart, ...words } = report;
    const state = await reading.report(viewer, issue.id, {
      position: { kind: "locator", locator, fraction, pages: words.pages || undefined },
      device,
      at,
      completed,
      mayGoBack,
      restart,
    });
    if (locatorOf(state.position) === locator)
      await places.keep({ userId: viewer.user.id, issueId: issue.id }, locator, words);
    return this.#withWords(viewer, state);
  }

  /** The positions in these books, by the issues' own ids. */
  async findAll(viewer: Viewer, issueIds: readonly number[]): Promise<Map<number, BookProgress>> {
    const states = await this.parts.reading.find(viewer, issueIds);
    return new Map(states.map((state) => [state.issueId, progressOf(state)]));
  }

  /** Every position of the viewer in a book, by the issues' own ids. */
  async listAll(viewer: Viewer, type: string): Promise<Map<number, BookProgress>> {
    const { reading } = this.parts;
    const found = new Map<number, BookProgress>();
    for (const list of ["listContinue", "listFinished"] as const)
      for (let after: string | undefined, more = true; more; more = after !== undefined) {
        const { items, next } = await reading[list](viewer, { limit: atOnce, types: [type], after });
        for (const { issue, state } of items) found.set(issue.id, progressOf(state));
        after = next;
      }
    return found;
  }

  async #withWords(viewer: Viewer, state: ReadingState): Promise<BookProgress> {
    const progress = progressOf(state);
    const key = { userId: viewer.user.id, issueId: state.issueId };
    return { ...progress, ...(await this.parts.places.find(key, progress.locator)) };
  }
}

function progressOf({ position, places, fraction, completed, device, at }: ReadingState): BookProgress {
  // A program that counts pages leaves no locator: the fraction says where that is.
  const locator = position.kind === "locator" ? position.locator : (places.locator?.locator ?? "");
  return { locator, fraction, completed, at, ...(device !== "" && { device }) };
}

function locatorOf(position: Position): string | undefined {
  return position.kind === "locator" ? position.locator : undefined;
}

function furtherPlace({ device, position, fraction, at }: DevicePosition): FurtherPlace {
  return { device, locator: locatorOf(position) ?? "", fraction, at };
}
