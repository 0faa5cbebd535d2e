import { z } from "zod";

/** ISO 8601, UTC. */
export const instant = z.iso.datetime();
export const authorSchema = z.object({ name: z.string(), role: z.string() });
export const linkSchema = z.object({ label: z.string(), url: z.string() });

/** One page of a list, as Komga wraps it. */
export interface PageOf<T> {
  readonly content: readonly T[];
  readonly totalElements: number;
}

/** Which part of a list is asked for: `page` counts from 0; without `size` the whole list. */
export interface Paging {
  readonly page: number;
  readonly size: number | undefined;
  readonly isSorted: boolean;
}

const sortSchema = z.object({ empty: z.boolean(), sorted: z.boolean(), unsorted: z.boolean() });

export function pageSchema<S extends z.ZodType>(item: S) {
  return z.object({
    content: z.array(item),
    totalElements: z.number().int(),
    totalPages: z.number().int(),
    number: z.number().int(),
    numberOfElements: z.number().int(),
    size: z.number().int(),
    first: z.boolean(),
    last: z.boolean(),
    empty: z.boolean(),
    sort: sortSchema,
    pageable: z.object({
      offset: z.number().int(),
      pageNumber: z.number().int(),
      pageSize: z.number().int(),
      paged: z.boolean(),
      unpaged: z.boolean(),
      sort: sortSchema,
    }),
  });
}

/** Wraps a part of a list. */
export function wrap<T>({ content, totalElements }: PageOf<T>, { page, size, isSorted }: Paging) {
  const length = size ?? Math.max(1, totalElements);
  const totalPages = Math.ceil(totalElements / length);
  const sort = { empty: !isSorted, sorted: isSorted, unsorted: !isSorted };
  return {
    content: [...content],
    totalElements,
    totalPages,
    number: page,
    numberOfElements: content.length,
    size: length,
    first: page === 0,
    last: page >= totalPages - 1,
    empty: content.length === 0,
    sort,
    pageable: {
      offset: page * length,
      pageNumber: page,
      pageSize: length,
      paged: size !== undefined,
      unpaged: size === undefined,
      sort,
    },
  };
}

/** The part of a whole list. */
export function cut<T>(all: readonly T[], { page, size }: Paging): PageOf<T> {
  const content = size === undefined ? all : all.slice(page * size, (page + 1) * size);
  return { content, totalElements: all.length };
}

/** A date without a time, as publishers state it; the first day where only the month or the year is known. */
export function releaseDate(date: string | undefined): string | undefined {
  const found = /^(\d{4})(?:-(\d{2}))?(?:-(\d{2}))?/.exec(date ?? "");
  return found ? `${found[1]}-${found[2] ?? "01"}-${found[3] ?? "01"}` : undefined;
}

/** Such as `12.3 MiB`. */
export function humanSize(sizeBytes: number): string {
  const units = ["B", "KiB", "MiB", "GiB", "TiB"];
  const power = Math.min(units.length - 1, Math.floor(Math.log2(Math.max(1, sizeBytes)) / 10));
  return `${(sizeBytes / 1024 ** power).toFixed(power === 0 ? 0 : 1)} ${units[power]}`;
}

/** The times of something that is never changed by apps. */
export const times = (at: string) => ({ created: at, lastModified: at });
