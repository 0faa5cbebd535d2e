import { z } from "zod";
import { keyOf } from "./search-shapes.js";
import { lineOf, linesOf, paragraphsOf } from "./texts.js";

/** Texts are `"…"` or `{ type, value }`, by the age of the record. */
const value = z
  .union([z.string(), z.object({ value: z.string() }).transform((typed) => typed.value)])
  .optional()
  .catch(undefined);
const reference = z.object({ key: z.string() });

/** Every record may have become another, or be deleted; both are answered with 200. */
const record = {
  type: reference.optional().catch(undefined),
  location: z.string().optional().catch(undefined),
};

export const workSchema = z.object({
  ...record,
  title: z.string().optional().catch(undefined),
  description: value,
  authors: z.array(z.object({ author: reference }).optional().catch(undefined)).catch([]),
  /** -1 and null stand for covers that were taken away. */
  covers: z.array(z.number().nullable().catch(null)).catch([]),
  subjects: z.array(z.string().catch("")).catch([]),
  first_publish_date: z.string().optional().catch(undefined),
});
export const editionSchema = z.object({
  ...record,
  works: z.array(reference.optional().catch(undefined)).catch([]),
});
export const authorSchema = z.object({ ...record, name: z.string().optional().catch(undefined) });

type Work = z.output<typeof workSchema>;
/** A record that may have become another. */
export type Fated = Pick<Work, "type" | "location">;
const most = { authors: 10, subjects: 30 } as const;

/** Where a record leads to that has become another; `gone` for one that was deleted. */
export function fateOf({ type, location }: Fated): { to: string } | "gone" | undefined {
  if (type?.key === "/type/delete") return "gone";
  if (type?.key !== "/type/redirect") return undefined;
  return location === undefined ? "gone" : { to: location };
}

/** What a work's record says, with the ids of its authors. */
export function toWork(work: Work) {
  return {
    title: lineOf(work.title),
    description: paragraphsOf(work.description),
    subjects: linesOf(work.subjects, most.subjects),
    year: yearOf(work.first_publish_date),
    coverId: work.covers.find((id): id is number => id !== null && Number.isSafeInteger(id) && id > 0),
    authorIds: work.authors.slice(0, most.authors).flatMap((row) => keyOf(row?.author.key ?? "", "authors", "A") ?? []),
  };
}

/** Of `1998?`, `Mar 2021`, `c1899`. */
function yearOf(written: string | undefined): number | undefined {
  const year = Number(/(?:^|\D)(1[0-9]\d\d|20\d\d)(?:\D|$)/.exec(written ?? "")?.[1]);
  return Number.isNaN(year) ? undefined : year;
}
