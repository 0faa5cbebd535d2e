import { foldTitle } from "@longbox/sdk";
import { isSameLanguage } from "../reading/languages.js";
import type { FoundWork } from "../works.js";
import type { BookEvidence } from "./book-evidence.js";
import { compareAuthors } from "./names.js";
import { compareTitles, differentKind, isCommonTitle, partsOf, type Likeness } from "./titles.js";

export interface Judgement {
  /** 0 to 100. */
  readonly score: number;
  readonly reasons: readonly string[];
  /** An edition has the book's ISBN. */
  readonly byIsbn: boolean;
  /** It may be the same text: title and author are alike, and nothing contradicts it. */
  readonly alike: boolean;
  /** It is the book, unless another work is as exact. */
  readonly exact: boolean;
}

interface Part {
  readonly points: number;
  readonly reason?: string;
  /** Speaks against it, whatever the rest says. */
  readonly against?: true;
  /** Speaks for it besides title and author. */
  readonly confirms?: true;
}

/** How well a work fits a book, with reasons. */
export function judge(book: BookEvidence, work: FoundWork): Judgement {
  const title = judgeTitle(book, work);
  const author = judgeAuthors(book.authors, work.authors);
  const byIsbn = sharedIsbn(book, work);
  const kind = judgeKind(book, work);
  const rest = [judgeYear(book, work), judgeLanguage(book, work, byIsbn), judgeSeries(book, work), kind];
  const parts: Part[] = [isbnPart(byIsbn, book), title, author, ...rest];
  const isContradicted = parts.some((part) => part.against);
  const alike = title.likeness !== "other" && title.likeness !== "similar" && author.likeness !== "other";
  const isConfirmed = rest.some((part) => part.confirms) && author.likeness === "same" && !isCommonTitle(book.title);
  return {
    score: Math.max(
      0,
      Math.min(
        100,
        parts.reduce((sum, part) => sum + part.points, 0),
      ),
    ),
    reasons: parts.flatMap((part) => part.reason ?? []),
    byIsbn: byIsbn !== undefined,
    alike: alike && !isContradicted,
    exact: alike && !isContradicted && (byIsbn !== undefined || (isConfirmed && title.likeness === "same")),
  };
}

/**
 * The certain match, or undefined: then a person decides. A work with the book's ISBN needs no other look; without one,
 * a second work that may be the same text is enough for a doubt.
 */
export function findCertain<T extends { readonly judgement: Judgement }>(candidates: readonly T[]): T | undefined {
  const byIsbn = candidates.filter(({ judgement }) => judgement.byIsbn);
  if (byIsbn.length > 0) return byIsbn.length === 1 && byIsbn[0]!.judgement.exact ? byIsbn[0] : undefined;
  const alike = candidates.filter(({ judgement }) => judgement.alike || judgement.exact);
  return alike.length === 1 && alike[0]!.judgement.exact ? alike[0] : undefined;
}

function isbnPart(shared: string | undefined, { isbns }: BookEvidence): Part {
  if (shared !== undefined) return { points: 40, reason: `same ISBN ${shared}` };
  return isbns.length > 0 ? { points: 0, reason: "ISBN unknown" } : { points: 0 };
}

function sharedIsbn({ isbns }: BookEvidence, work: FoundWork): string | undefined {
  const theirs = new Set([...work.isbns, ...(work.edition?.isbns ?? [])]);
  return isbns.find((isbn) => theirs.has(isbn));
}

function judgeTitle(book: BookEvidence, work: FoundWork): Part & { likeness: Likeness } {
  const own = partsOf(book.title);
  const order: readonly Likeness[] = ["same", "but-subtitle", "similar", "other"];
  const found = namesOf(book, work).map((name) => compareTitles(own, partsOf(name)));
  const likeness = order.find((each) => found.includes(each)) ?? "other";
  if (likeness === "same") return { likeness, points: 40, reason: "same title" };
  if (likeness === "but-subtitle") return { likeness, points: 32, reason: "same title, apart from the subtitle" };
  return likeness === "similar"
    ? { likeness, points: 15, reason: `similar title “${work.title}”` }
    : { likeness, points: -20, reason: `title “${work.title}”` };
}

/**
 * The title of the edition counts where it is the edition of the book: a work's own title is often that of the
 * original.
 */
function namesOf(book: BookEvidence, { title, subtitle, edition }: FoundWork): string[] {
  const names = [title, ...(subtitle === undefined ? [] : [`${title}: ${subtitle}`])];
  return edition?.title !== undefined && isItsEdition(book, edition) ? [...names, edition.title] : names;
}

function isItsEdition({ isbns, language }: BookEvidence, edition: NonNullable<FoundWork["edition"]>): boolean {
  if (isbns.some((isbn) => edition.isbns.includes(isbn))) return true;
  return language !== undefined && edition.languages.some((theirs) => isSameLanguage(theirs, language));
}

function judgeAuthors(own: readonly string[], theirs: readonly string[]) {
  if (own.length === 0 || theirs.length === 0)
    return { likeness: "unknown", points: 0, reason: "author unknown" } as const;
  const likeness = compareAuthors(own, theirs);
  if (likeness === "same") return { likeness, points: 30, reason: "same author" } as const;
  if (likeness === "similar") return { likeness, points: 15, reason: `author ${theirs[0]}` } as const;
  return { likeness, points: -40, reason: `by ${theirs[0]} instead of ${own[0]}`, against: true } as const;
}

function judgeYear({ year }: BookEvidence, work: FoundWork): Part {
  if (year === undefined || work.year === undefined) return { points: 0 };
  if (year === work.year) return { points: 10, reason: `same year ${year}`, confirms: true };
  return year < work.year - 1
    ? { points: -15, reason: `first published in ${work.year}, after ${year}`, against: true }
    : { points: 0 };
}

function judgeLanguage({ language, isbns }: BookEvidence, work: FoundWork, byIsbn: string | undefined): Part {
  const isEdition = byIsbn !== undefined && work.edition?.isbns.some((isbn) => isbns.includes(isbn));
  const theirs = isEdition ? work.edition!.languages : work.languages;
  if (language === undefined || theirs.length === 0) return { points: 0 };
  return theirs.some((each) => isSameLanguage(each, language))
    ? { points: 5, reason: "an edition in its language", confirms: true }
    : { points: -15, reason: `no edition in its language (${language})`, against: true };
}

function judgeSeries({ series }: BookEvidence, work: FoundWork): Part {
  const same = series && work.series.find(({ name }) => foldTitle(name) === foldTitle(series.name));
  if (!series || !same) return { points: 0 };
  if (series.number === "" || same.number === "") return { points: 5, reason: "same series", confirms: true };
  return Number(series.number) === Number(same.number) || series.number === same.number
    ? { points: 10, reason: `number ${series.number} of the same series`, confirms: true }
    : { points: -30, reason: `number ${same.number} of the series instead of ${series.number}`, against: true };
}

function judgeKind(book: BookEvidence, { title, subtitle, edition }: FoundWork): Part {
  const names = edition?.title !== undefined && isItsEdition(book, edition) ? [edition.title] : [];
  const kind = differentKind(book.title, [title, subtitle, ...names].filter(Boolean).join(" "));
  return kind === undefined ? { points: 0 } : { points: -30, reason: `only one of them is ${kind}`, against: true };
}
