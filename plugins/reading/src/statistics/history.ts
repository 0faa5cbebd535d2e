import type { CollectionContract } from "@longbox/collection/contract";
import type { Viewer } from "@longbox/sdk";
import type { HistoryEntry, HistoryRange, ReadingPart } from "../contract.js";
import { readHistoryPlace, writeHistoryPlace } from "../cursors.js";
import type { HistoryRecords } from "../keeping/history-records.js";
import { isoTime } from "../keeping/progress-rows.js";
import { WrongField } from "../reading-errors.js";
import type { HistoryTable } from "../tables.js";
import { hiddenWorks } from "../visible-works.js";

const mostAtOnce = 1000;

/** The reading history, without hidden works. */
export class History {
  readonly #library: CollectionContract;
  readonly #records: HistoryRecords;

  constructor(library: CollectionContract, records: HistoryRecords) {
    this.#library = library;
    this.#records = records;
  }

  /** A page may have fewer entries than requested before the end; `next` says whether it is the last. */
  async read(viewer: Viewer, range: HistoryRange): Promise<ReadingPart<HistoryEntry>> {
    const limit = Math.min(mostAtOnce, range.limit);
    const rows = await this.#records.list(viewer.user.id, {
      limit,
      after: readHistoryPlace(range.after),
      since: range.since === undefined ? undefined : readTime(range.since),
      types: range.types,
    });
    const hidden = await hiddenWorks(this.#library, [...new Set(rows.map((row) => row.issue_id))], viewer);
    const last = rows.at(-1);
    return {
      items: rows.filter((row) => !hidden.has(row.issue_id)).map(toEntry),
      next: rows.length === limit && last ? writeHistoryPlace(placeOf(last)) : undefined,
    };
  }
}

function placeOf(row: HistoryTable): { quarterAt: number; issueId: number; device: string } {
  return { quarterAt: row.quarter_at, issueId: row.issue_id, device: row.device };
}

function toEntry(row: HistoryTable): HistoryEntry {
  return {
    issueId: row.issue_id,
    type: row.work_type,
    device: row.device,
    quarter: isoTime(row.quarter_at),
    firstAt: isoTime(row.first_at),
    lastAt: isoTime(row.last_at),
    pages: row.pages,
    seconds: row.seconds,
    finished: row.finished,
  };
}

function readTime(text: string): number {
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw new WrongField("since", "must be a time such as 2026-03-01T00:00:00Z");
  return ms;
}
