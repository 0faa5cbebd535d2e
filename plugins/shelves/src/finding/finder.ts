import { crc32 } from "node:zlib";
import type { Documents } from "../index/documents.js";
import type { IndexedIssue } from "../thread/protocol.js";
import {
  FindableTexts,
  namedKinds,
  type FindableKind,
  type FindQuestion,
  type Found,
  type StoredFindable,
} from "./findable.js";
import type { Names } from "../names/names.js";
import { search } from "./searching.js";

/** What a finder looks things up in. */
export interface FinderParts {
  readonly documents: Documents;
  readonly names: Names;
  /** How many documents that the viewer may know of have each name of a kind. */
  countsOf(kind: Exclude<FindableKind, "series" | "issue">): Uint32Array;
}

/** So many series are looked through for an issue with a number. */
const mostSeriesOfNumber = 20;
/** An issue whose number was asked for comes before its series. */
const numberWorth = 30;

/**
 * Finds series, issues and names by their words. It follows the documents: an entry of an issue or a series that says
 * something else now is out of date, and another is added.
 */
export class Finder {
  readonly #texts: FindableTexts;
  /** The entry of each series, and an issue of it, by which it is known whether it is still there. */
  readonly #series = new Map<number, { entry: number; issueId: number }>();
  readonly #named = new Map<FindableKind, number>();

  constructor(stored?: StoredFindable) {
    this.#texts = new FindableTexts(stored);
    for (let entry = 0; entry < this.#texts.count; entry++) {
      const kind = this.#texts.kindOf(entry);
      const reference = this.#texts.referenceOf(entry);
      if (kind === "series") this.#series.set(reference, { entry, issueId: 0 });
      else if (kind !== "issue") this.#named.set(kind, Math.max(this.#named.get(kind) ?? 0, reference));
    }
  }

  /**
   * @param former - the entry that the issue had, 0 for none
   * @returns its entry now, from 1; 0 where it has no title
   */
  put(issue: IndexedIssue, former: number): number {
    this.#putSeries(issue);
    if (issue.ownTitle === "") return 0;
    const hash = crc32(issue.ownTitle);
    if (former > 0 && this.#texts.hashOf(former - 1) === hash) return former;
    return this.#texts.add({ kind: "issue", reference: issue.id, hash, title: issue.ownTitle }) + 1;
  }

  /** Adds the names that are new. */
  follow(names: Names): void {
    for (const kind of namedKinds) {
      const known = this.#named.get(kind) ?? 0;
      const last = names.size(kind) - 1;
      for (let reference = known + 1; reference <= last; reference++)
        this.#texts.add({ kind, reference, hash: 0, title: names.label(kind, reference) });
      this.#named.set(kind, last);
    }
  }

  find(parts: FinderParts, asked: FindQuestion): Found[] {
    const visible = new Visible(parts, asked.seesRestricted);
    const isVisible = (entry: number) => this.#isVisible(entry, visible);
    const hits = search(this.#texts, { words: asked.words, limit: asked.limit, isVisible });
    const found = hits.map(({ entry, score }): Found => {
      const kind = this.#texts.kindOf(entry);
      const reference = this.#texts.referenceOf(entry);
      if (kind === "series" || kind === "issue") return { kind, id: reference, label: "", score };
      return { kind, id: 0, label: parts.names.label(kind, reference), score };
    });
    if (asked.number === undefined) return found;
    return [...this.#withNumber(found, visible, asked), ...found].sort((one, other) => other.score - one.score);
  }

  stored(): StoredFindable {
    return this.#texts.stored();
  }

  #putSeries({ id, seriesId, seriesTitle, seriesYear }: IndexedIssue): void {
    if (seriesTitle === "") return;
    const hash = crc32(`${seriesTitle}\n${seriesYear}`);
    const known = this.#series.get(seriesId);
    if (known && this.#texts.hashOf(known.entry) === hash) {
      known.issueId = id;
      return;
    }
    const others = seriesYear > 0 ? [String(seriesYear)] : [];
    const entry = this.#texts.add({ kind: "series", reference: seriesId, hash, title: seriesTitle, others });
    this.#series.set(seriesId, { entry, issueId: id });
  }

  #isVisible(entry: number, visible: Visible): boolean {
    const kind = this.#texts.kindOf(entry);
    const reference = this.#texts.referenceOf(entry);
    if (kind === "issue") return visible.issue(reference, entry);
    if (kind !== "series") return visible.name(kind, reference);
    const series = this.#series.get(reference);
    if (series?.entry !== entry) return false;
    const witness = visible.witness(reference, series.issueId);
    if (witness === undefined) return false;
    series.issueId = witness.issueId;
    return witness.isVisible;
  }

  /** The issues with a number of the series that were found. */
  #withNumber(found: readonly Found[], visible: Visible, { number = "", limit }: FindQuestion): Found[] {
    const series = found.filter(({ kind }) => kind === "series").slice(0, mostSeriesOfNumber);
    const scores = new Map(series.map(({ id, score }) => [id, score]));
    return visible
      .numbered(new Set(scores.keys()), number)
      .map(({ id, seriesId }): Found => {
        return { kind: "issue", id, label: "", score: scores.get(seriesId)! + numberWorth };
      })
      .sort((one, other) => other.score - one.score)
      .slice(0, limit);
  }
}

/** What one viewer may know of now. */
class Visible {
  readonly #parts: FinderParts;
  readonly #bits;
  readonly #counts = new Map<FindableKind, Uint32Array>();

  constructor(parts: FinderParts, seesRestricted: boolean) {
    this.#parts = parts;
    this.#bits = parts.documents.visible(seesRestricted);
  }

  issue(id: number, entry: number): boolean {
    const { documents } = this.#parts;
    const document = documents.find(id);
    return document !== undefined && documents.plain.entries.at(document) === entry + 1 && this.#bits.has(document);
  }

  name(kind: Exclude<FindableKind, "series" | "issue">, reference: number): boolean {
    let counts = this.#counts.get(kind);
    if (!counts) this.#counts.set(kind, (counts = this.#parts.countsOf(kind)));
    return (counts[reference] ?? 0) > 0;
  }

  /** An issue that is of the series now, the known one if it still is; and whether the viewer may know of it. */
  witness(seriesId: number, issueId: number): { readonly issueId: number; readonly isVisible: boolean } | undefined {
    const { documents } = this.#parts;
    const { series, ids } = documents.plain;
    const known = documents.find(issueId);
    if (known !== undefined && series.at(known) === seriesId) return { issueId, isVisible: this.#bits.has(known) };
    const all = series.values;
    for (let document = all.indexOf(seriesId); document !== -1; document = all.indexOf(seriesId, document + 1))
      if (documents.isAlive(document)) return { issueId: ids.at(document), isVisible: this.#bits.has(document) };
    return undefined;
  }

  /** Issues of series with a number. */
  numbered(seriesIds: ReadonlySet<number>, number: string): Array<{ id: number; seriesId: number }> {
    const { documents, names } = this.#parts;
    const wanted = names.find("number", number);
    if (wanted === undefined || seriesIds.size === 0) return [];
    const { series, numbers, ids } = documents.plain;
    const [ofSeries, all] = [series.values, numbers.values];
    const found: Array<{ id: number; seriesId: number }> = [];
    for (let document = all.indexOf(wanted); document !== -1; document = all.indexOf(wanted, document + 1))
      if (seriesIds.has(ofSeries[document]!) && this.#bits.has(document))
        found.push({ id: ids.at(document), seriesId: ofSeries[document]! });
    return found;
  }
}
