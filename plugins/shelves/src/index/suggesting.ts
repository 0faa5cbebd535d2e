import type { FacetName } from "../browsing/facets.js";
import { Bits } from "../columns/bits.js";
import { without, type Column } from "../columns/columns.js";
import type { Suggestion } from "../thread/protocol.js";
import { valueName, type IndexParts, type Selection } from "./matching.js";

/** What two issues can share, and how much it says: an arc more than a colourist. */
const weights: ReadonlyArray<readonly [facet: FacetName, weight: number]> = [
  ["arc", 3],
  ["author", 2],
  ["character", 1.5],
  ["artist", 1],
  ["team", 1],
];
const mostReasons = 3;

export interface SimilarQuestion {
  readonly seed: number;
  readonly userId: number;
  readonly limit: number;
}

interface Scored {
  readonly document: number;
  readonly score: number;
}

/**
 * The issues of the selection that share the most with one issue, one of each other series of which the user has begun
 * nothing. What few issues have counts more than what many have.
 */
export function suggest(parts: IndexParts, selection: Selection, asked: SimilarQuestion): Suggestion[] {
  const { documents } = parts;
  const candidates = selection.all();
  const scores = new Float32Array(documents.count);
  for (const [facet, weight] of weights) {
    const worth = worthOf(facet, { parts, selection, weight, seed: asked.seed });
    if (!worth) continue;
    const column = selection.column(facet);
    const holders = holdersOf(worth, documents.count, column);
    holders.and(candidates).forEach((document) => {
      column.read(document, (value) => void (scores[document]! += worth[value]!));
    });
  }
  const begun = begunSeries(parts, asked);
  return bestOfSeries(parts, scores, begun)
    .slice(0, asked.limit)
    .map(({ document }) => ({
      issueId: documents.plain.ids.at(document),
      shared: reasons(parts, selection, { document, seed: asked.seed }),
    }));
}

function holdersOf(worth: Float32Array, count: number, column: Column): Bits {
  const holders = new Bits(count);
  column.match(
    Uint8Array.from(worth, (value) => (value > 0 ? 1 : 0)),
    holders,
  );
  return holders;
}

interface Weighing {
  readonly parts: IndexParts;
  readonly selection: Selection;
  readonly weight: number;
  readonly seed: number;
}

/** What each value of the seed adds to the score of issues that have it, too; undefined where it has none. */
function worthOf(facet: FacetName, { parts, selection, weight, seed }: Weighing): Float32Array | undefined {
  const column = selection.column(facet);
  const values: number[] = [];
  column.read(seed, (value) => void values.push(value));
  if (values.length === 0) return undefined;
  const counts = selection.count(facet, selection.all());
  const worth = new Float32Array(counts.length);
  const all = parts.documents.size;
  for (const value of values) if (value !== without) worth[value] = weight * Math.log1p(all / (1 + counts[value]!));
  return worth;
}

/** The series of the seed, and those of which the user has begun or finished anything. */
function begunSeries({ documents, users }: IndexParts, { seed, userId }: SimilarQuestion): Set<number> {
  const { series } = documents.plain;
  const begun = new Set([series.at(seed)]);
  for (const document of users.columnsOf(userId, documents).read.values.keys()) begun.add(series.at(document));
  return begun;
}

function bestOfSeries({ documents }: IndexParts, scores: Float32Array, begun: ReadonlySet<number>): Scored[] {
  const best = new Map<number, Scored>();
  for (let document = 0; document < scores.length; document++) {
    const score = scores[document]!;
    if (score === 0) continue;
    const series = documents.plain.series.at(document);
    if (begun.has(series)) continue;
    const known = best.get(series);
    if (!known || known.score < score) best.set(series, { document, score });
  }
  return [...best.values()].sort((one, other) => other.score - one.score || one.document - other.document);
}

function reasons(
  { names }: IndexParts,
  selection: Selection,
  { document, seed }: { readonly document: number; readonly seed: number },
): Suggestion["shared"] {
  const shared: Array<Suggestion["shared"][number]> = [];
  for (const [facet] of weights) {
    const column = selection.column(facet);
    const own = new Set<number>();
    column.read(seed, (value) => void own.add(value));
    column.read(document, (value) => {
      if (own.has(value) && shared.length < mostReasons) shared.push({ facet, label: valueName(facet, value, names) });
    });
  }
  return shared;
}
