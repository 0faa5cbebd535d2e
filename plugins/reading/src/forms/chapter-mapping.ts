import { foldTitle } from "@longbox/sdk";
import type { Chapter } from "../contract.js";

/** A place of one form of a work in another one. */
export interface MappedPlace {
  /** Of the other form, 0 to 1. */
  readonly fraction: number;
  /** How it was found: by the chapters that both have, or only by the share that was read. */
  readonly by: "chapter" | "fraction";
  /** The chapter of the other form. */
  readonly chapter: string | undefined;
}

/** The same moment of a text in both forms. */
interface Anchor {
  readonly here: number;
  readonly there: number;
}

/**
 * Titles that occur once name a chapter; what a publisher adds before and behind the text does not count against it.
 */
const fewestShared = 2;

/**
 * Finds a place in another form of the same work. Between two chapters that both have, it lies where as much of the
 * chapter has been read.
 */
export function mapPlace(fraction: number, from: readonly Chapter[], to: readonly Chapter[]): MappedPlace {
  const shared = sharedAnchors(from, to);
  const at = shared.length >= fewestShared ? between(fraction, [start, ...shared, end]) : fraction;
  const chapter = to.findLast((each) => each.start <= at + 1e-9)?.title;
  return { fraction: at, by: shared.length >= fewestShared ? "chapter" : "fraction", chapter };
}

const start: Anchor = { here: 0, there: 0 };
const end: Anchor = { here: 1, there: 1 };

/** The beginnings of chapters that both have: by their titles, otherwise by their order where both have as many. */
function sharedAnchors(from: readonly Chapter[], to: readonly Chapter[]): Anchor[] {
  const named = byTitle(from, to);
  if (named.length >= fewestShared) return named;
  return from.length === to.length ? rising(from.map((one, at) => ({ here: one.start, there: to[at]!.start }))) : [];
}

function byTitle(from: readonly Chapter[], to: readonly Chapter[]): Anchor[] {
  const there = uniqueTitles(to);
  return rising(
    [...uniqueTitles(from)].flatMap(([title, here]) => {
      const other = there.get(title);
      return other === undefined ? [] : { here, there: other };
    }),
  );
}

function uniqueTitles(chapters: readonly Chapter[]): Map<string, number> {
  const all = Map.groupBy(chapters, ({ title }) => titleKey(title));
  const once = [...all].filter(([title, found]) => title !== "" && found.length === 1);
  return new Map(once.map(([title, [chapter]]) => [title, chapter!.start]));
}

/** `Chapter 07` and `7` are one chapter. */
function titleKey(title: string): string {
  return foldTitle(title)
    .replace(/^(?:chapter|kapitel|chapitre|capitulo|part|teil) (?=\d)/, "")
    .replace(/^0+(?=\d)/, "");
}

/** Without those that would lead back. */
function rising(anchors: readonly Anchor[]): Anchor[] {
  const kept: Anchor[] = [];
  for (const anchor of anchors.toSorted((one, other) => one.here - other.here)) {
    const last = kept.at(-1);
    if (!last || (anchor.here > last.here && anchor.there > last.there)) kept.push(anchor);
  }
  return kept;
}

function between(fraction: number, anchors: readonly Anchor[]): number {
  const at = anchors.findLastIndex(({ here }) => here <= fraction);
  const [before, after] = [anchors[Math.max(0, at)]!, anchors[at + 1] ?? end];
  const length = after.here - before.here;
  const share = length > 0 ? (fraction - before.here) / length : 0;
  return Math.min(1, Math.max(0, before.there + share * (after.there - before.there)));
}
