import { foldTitle, foldWords } from "@longbox/sdk";

/** What tells one publication of a text from another: these words must stand in both titles, or in none. */
const kinds: ReadonlyArray<readonly [RegExp, string]> = [
  [
    /\b(?:omnibus|box(?:ed)? set|trilogy|tetralogy|quartet|duology|compendium|anthology|complete (?:series|saga|works|collection)|collection|collected|books? \d+ ?(?:-|to|through|and) ?\d+|volumes? \d+ ?(?:-|to|through) ?\d+)\b/,
    "a collection",
  ],
  [
    /\b(?:summary|study guide|sparknotes|cliffsnotes|workbook|companion|analysis|notes on|guide to|sampler|excerpt|preview)\b/,
    "a book about it",
  ],
  [
    /\b(?:graphic novel|manga|comic|screenplay|play ?script|adaptation|coloring book|colouring book)\b/,
    "an adaptation",
  ],
  [/\b(?:abridged|condensed|retold|simplified|reader s digest)\b/, "an abridgement"],
];
/** Titles that many books have. */
const common = new Set(
  [
    "poems",
    "collected poems",
    "selected poems",
    "poetry",
    "plays",
    "short stories",
    "stories",
    "collected stories",
    "selected stories",
    "essays",
    "collected essays",
    "letters",
    "works",
    "complete works",
    "collected works",
    "selected works",
    "selected writings",
    "autobiography",
    "memoirs",
    "diary",
    "diaries",
    "novels",
    "sonnets",
  ].map(foldTitle),
);

/** A title in the parts by which it is compared. */
export interface TitleParts {
  /** Folded: all of it, without what stands in brackets. */
  readonly whole: string;
  /** Folded: what stands before the subtitle. */
  readonly head: string;
  readonly hasSubtitle: boolean;
}

export function partsOf(title: string): TitleParts {
  const bare = title.replaceAll(/\s*[([{][^()[\]{}]*[)\]}]/g, "").trim() || title;
  const [head = bare, ...rest] = bare.split(/\s*:\s+|\s+[-–—]\s+/);
  return { whole: foldTitle(bare), head: foldTitle(head), hasSubtitle: rest.length > 0 };
}

export type Likeness = "same" | "but-subtitle" | "similar" | "other";

/** How like two titles are. Subtitles count where both have one. */
export function compareTitles(one: TitleParts, other: TitleParts): Likeness {
  if (one.whole === other.whole) return "same";
  if (one.head === other.head && one.hasSubtitle !== other.hasSubtitle) return "but-subtitle";
  const [left, right] = [one.whole.split(" "), new Set(other.whole.split(" "))];
  return (2 * left.filter((word) => right.has(word)).length) / (left.length + right.size) >= 0.5 ? "similar" : "other";
}

/** What one of two titles says that it is, and the other does not: `a collection`. */
export function differentKind(own: string, theirs: string): string | undefined {
  const [left, right] = [foldWords(own), foldWords(theirs)];
  return kinds.find(([pattern]) => pattern.test(left) !== pattern.test(right))?.[1];
}

export const isCommonTitle = (title: string): boolean => common.has(partsOf(title).whole);
