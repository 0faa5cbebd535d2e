import type { ReadingContract, ReadingState } from "@longbox/reading/contract";
import type { Viewer } from "@longbox/sdk";
import type { Device } from "../devices/devices.js";
import type { Book } from "../documents/book.js";
import { locatorOf, stateKey, type ToldState } from "../documents/reading-state.js";
import type { Ledger } from "./ledger.js";

export interface ReportingParts {
  readonly reading: ReadingContract;
  readonly ledger: Ledger;
}

export interface StateReport {
  readonly book: Book;
  readonly device: Device;
  readonly told: ToldState;
  readonly viewer: Viewer;
}

/** Takes what e-readers tell of the books on them. */
export class Reporting {
  constructor(private readonly parts: ReportingParts) {}

  async take(report: StateReport): Promise<void> {
    const { book, device, told, viewer } = report;
    const name = nameOf(device);
    const isUnread = told.StatusInfo?.Status === "ReadyToRead" && !told.CurrentBookmark?.ProgressPercent;
    if (isUnread) return this.#unread(report);
    const state = await this.parts.reading.report(viewer, book.issue.id, {
      position: { kind: "locator", locator: locatorOf(told.CurrentBookmark?.Location), fraction: fractionOf(report) },
      device: name,
      at: timeOf(told),
      ...(told.StatusInfo?.Status === "Finished" && { completed: true }),
    });
    if (state.device === name) await this.#known(report, state);
  }

  /** A device that has not opened a book says so, too: it only counts when the position is the device's own. */
  async #unread(report: StateReport): Promise<void> {
    const { book, device, told, viewer } = report;
    const at = Date.parse(timeOf(told) ?? "");
    if (!book.state || book.state.device !== nameOf(device) || !(at > Date.parse(book.state.at))) return;
    await this.parts.reading.mark(viewer, [book.issue.id], false);
    await this.#known(report, undefined);
  }

  #known({ device, book }: StateReport, state: ReadingState | undefined): Promise<void> {
    return this.parts.ledger.knows(device.id, book.issue.id, stateKey(state));
  }
}

/** The name in the reading progress. Two e-readers with one name are told apart. */
const nameOf = ({ id, name }: Device): string => `${name} (Kobo ${id})`;

/** A finished book can be told without a position. Without both it stays where it was. */
function fractionOf({ told, book }: StateReport): number {
  const percent = told.CurrentBookmark?.ProgressPercent;
  if (percent !== undefined && percent !== null) return percent / 100;
  return told.StatusInfo?.Status === "Finished" ? 1 : (book.state?.fraction ?? 0);
}

/**
 * Undefined, which means now, for clocks that were never set. E-readers tell whole seconds: the end of one is meant.
 */
function timeOf({ CurrentBookmark, StatusInfo, LastModified }: ToldState): string | undefined {
  const times = [CurrentBookmark?.LastModified, StatusInfo?.LastModified, LastModified].map((time) =>
    Date.parse(time ?? ""),
  );
  const at = Math.max(...times.filter((time) => Number.isFinite(time) && time >= earliest));
  return Number.isFinite(at) ? new Date(Math.min(at + 999, Date.now())).toISOString() : undefined;
}

const earliest = Date.UTC(2000, 0);
