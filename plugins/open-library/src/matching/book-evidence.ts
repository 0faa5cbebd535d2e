import { createHash } from "node:crypto";
import type { CatalogIssue } from "@longbox/collection/contract";
import { foldTitle } from "@longbox/sdk";
import { idScheme } from "../works.js";

/** What is read of a book to match it. */
export type CatalogBook = Pick<CatalogIssue, "issue" | "detail" | "ids">;

/** What the library knows of a book that helps to find its work. */
export interface BookEvidence {
  readonly issueId: number;
  readonly title: string;
  readonly authors: readonly string[];
  /** Of this edition. */
  readonly year: number | undefined;
  readonly language: string | undefined;
  readonly series: { readonly name: string; readonly number: string } | undefined;
  /** Of 13 digits. */
  readonly isbns: readonly string[];
  /** Ids of Open Library that its file states. */
  readonly workIds: readonly string[];
  /** Changes with everything above. */
  readonly key: string;
}

const authorRoles = new Set(["author", "writer", "aut", "creator"]);
/** More ISBNs than these are those of a publisher's list. */
const mostIsbns = 5;

export function evidenceOf({ issue, detail, ids }: CatalogBook): BookEvidence {
  const authors = detail.credits.filter(({ role }) => authorRoles.has(role.toLowerCase())).map(({ name }) => name);
  const title = issue.title ?? issue.seriesTitle;
  const stated = {
    title,
    authors,
    year: yearOf(issue.coverDate),
    language: issue.language,
    series: seriesOf(issue, [title, ...authors]),
    isbns: (ids["isbn"] ?? []).slice(0, mostIsbns),
    workIds: ids[idScheme] ?? [],
  };
  const key = createHash("sha256").update(JSON.stringify(stated)).digest("hex").slice(0, 32);
  return { issueId: issue.id, ...stated, key };
}

/** Books of no series stand under their author's name or their own title. */
function seriesOf({ seriesTitle: name, number }: CatalogBook["issue"], others: readonly string[]) {
  return others.some((other) => foldTitle(other) === foldTitle(name)) ? undefined : { name, number };
}

function yearOf(date: string | undefined): number | undefined {
  const year = Number(date?.slice(0, 4));
  return Number.isInteger(year) && year > 0 ? year : undefined;
}
