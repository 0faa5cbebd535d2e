import type { OptionalCapability, Viewer } from "@longbox/sdk";
import type { ReadingContract } from "@longbox/reading/contract";
import { ListNotFound, NotYourList } from "../errors.js";
import type { ItemRow, ListDocument, ListRow } from "../shapes.js";
import type { LibraryView, ViewedItem } from "./library-view.js";
import type { ListRecord, ListRecords } from "./list-records.js";
import { coverOf, summarise, type Summaries, type Summary } from "./summaries.js";

export interface ReadingListParts {
  readonly records: ListRecords;
  readonly view: LibraryView;
  readonly summaries: Summaries;
  readonly reading: OptionalCapability<ReadingContract>;
}

/** Lists as viewers see them. */
export class ReadingLists {
  readonly #parts: ReadingListParts;

  constructor(parts: ReadingListParts) {
    this.#parts = parts;
  }

  /** The viewer's own first, then public ones of others. */
  async list(
    viewer: Viewer,
    range: { readonly limit: number; readonly offset: number },
  ): Promise<{ rows: ListRow[]; total: number }> {
    const all = await this.#parts.records.listReadable(viewer.user.id);
    const rows: ListRow[] = [];
    for (const record of all.slice(range.offset, range.offset + range.limit))
      rows.push(await this.#row(record, viewer));
    return { rows, total: all.length };
  }

  async row(id: number, viewer: Viewer): Promise<ListRow> {
    return await this.#row(await this.readable(id, viewer), viewer);
  }

  async read(id: number, viewer: Viewer): Promise<ListDocument> {
    const record = await this.readable(id, viewer);
    const items = await this.items(record, viewer);
    const summary = summarise(items);
    const read = await this.#readIds(
      viewer,
      items.flatMap(({ issue }) => issue?.id ?? []),
    );
    const readHere = read && summary.ownedIds.filter((issueId) => read.has(issueId)).length;
    const { items: total, ...row } = toRow(record, { summary, viewer, read: readHere });
    const formats = await this.#parts.view.findFormats(summary.ownedIds);
    const unmatched = row.mine ? await this.#parts.records.unmatched(id) : [];
    return {
      ...row,
      total,
      items: items.map((item, index) => toItemRow(item, { position: index + 1, read, formats })),
      unmatched: unmatched.map(({ series, number, volume, reason }) => ({ series, number, volume, reason })),
    };
  }

  /** What the viewer may see of the list, in order. */
  async items(record: ListRecord, viewer: Viewer): Promise<ViewedItem[]> {
    return await this.#parts.view.look(await this.#parts.records.items(record.id), viewer);
  }

  /** @throws {ListNotFound} also when it is another user's and not public */
  async readable(id: number, viewer: Viewer): Promise<ListRecord> {
    const record = await this.#parts.records.find(id);
    if (!record || (record.user_id !== viewer.user.id && record.public === 0)) throw new ListNotFound(id);
    return record;
  }

  /** @throws {ListNotFound} @throws {NotYourList} */
  async own(id: number, viewer: Viewer): Promise<ListRecord> {
    const record = await this.readable(id, viewer);
    if (record.user_id !== viewer.user.id) throw new NotYourList(id);
    return record;
  }

  async #row(record: ListRecord, viewer: Viewer): Promise<ListRow> {
    const summary = await this.#parts.summaries.of(record.id, viewer);
    return toRow(record, { summary, viewer, read: (await this.#readIds(viewer, summary.ownedIds))?.size });
  }

  /** Which of these issues the viewer has read to the end; undefined where reading is not kept. */
  async #readIds(viewer: Viewer, issueIds: readonly number[]): Promise<ReadonlySet<number> | undefined> {
    if (!this.#parts.reading.available()) return undefined;
    const states = issueIds.length === 0 ? [] : await this.#parts.reading.use.find(viewer, issueIds);
    return new Set(states.filter(({ completed }) => completed).map(({ issueId }) => issueId));
  }
}

interface SeenList {
  readonly summary: Summary;
  readonly viewer: Viewer;
  /** How many of its issues were read; undefined where that is not kept. */
  readonly read: number | undefined;
}

function toRow(record: ListRecord, { summary, viewer, read }: SeenList): ListRow {
  return {
    id: record.id,
    name: record.name,
    public: record.public === 1,
    ...(record.arc_id === null ? {} : { arcId: record.arc_id }),
    items: summary.items,
    owned: summary.owned,
    ...(read === undefined ? {} : { read }),
    mine: record.user_id === viewer.user.id,
    createdAt: record.created_at,
    covers: [...summary.covers],
  };
}

interface Placed {
  readonly position: number;
  /** Issues that were read to the end; undefined where that is not kept. */
  readonly read: ReadonlySet<number> | undefined;
  /** Of the files that are read, by issue. */
  readonly formats: ReadonlyMap<number, string>;
}

function toItemRow({ record, issue }: ViewedItem, { position, read, formats }: Placed): ItemRow {
  if (!issue) {
    return {
      cvIssueId: record.cv_issue_id,
      position,
      series: record.series,
      number: record.number,
      title: record.title,
      label: null,
      coverDate: record.cover_date,
      owned: false,
      ...(read && { read: false }),
      inLibrary: false,
      cover: null,
    };
  }
  return {
    id: issue.id,
    cvIssueId: issue.cvIssueId,
    position,
    series: issue.seriesTitle,
    number: issue.number,
    title: issue.title ?? null,
    label: { ...issue.label, within: issue.label.within ?? null },
    coverDate: issue.coverDate ?? null,
    seriesId: issue.seriesId,
    owned: issue.owned,
    ...(read && { read: read.has(issue.id) }),
    inLibrary: true,
    pages: issue.pages,
    format: formats.get(issue.id) ?? null,
    cover: coverOf(issue.cvIssueId),
  };
}
