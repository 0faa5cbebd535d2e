import { flagParameter, idParameter, indexParameter } from "@longbox/sdk";
import { z } from "zod";
import type { Paging } from "../documents/common.js";

/** Apps send several values as one parameter with commas, as several parameters, or both. */
const values = z
  .union([z.string(), z.array(z.string())])
  .default([])
  .transform((given) => [given].flat().flatMap((text) => text.split(",").filter((value) => value !== "")))
  .pipe(z.array(z.string().max(300)).max(500));
/** Values that can have commas themselves: the whole text is meant, or each of its parts. */
const names = z
  .union([z.string(), z.array(z.string())])
  .default([])
  .transform((given) => [given].flat().flatMap((text) => (text === "" ? [] : [...new Set([text, ...text.split(",")])])))
  .pipe(z.array(z.string().max(1000)).max(500));
/** Values whose commas separate their fields, such as `Ada Quill,writer`. */
const texts = z
  .union([z.string(), z.array(z.string())])
  .default([])
  .transform((given) => [given].flat().filter((value) => value !== ""))
  .pipe(z.array(z.string().max(300)).max(100));
const readStatuses = values.pipe(z.array(z.enum(["UNREAD", "READ", "IN_PROGRESS"])));

/** `metadata.titleSort,asc`. */
const sort = texts.transform((given) =>
  given.map((text) => {
    const [property = "", direction = "asc"] = text.split(",");
    return { property, isDescending: direction.toLowerCase() === "desc" };
  }),
);

const mostInPage = 2000;

/** What every list takes. */
export const pagingShape = {
  page: indexParameter.default(0),
  size: indexParameter.pipe(z.number().int().min(1).max(mostInPage)).default(20),
  unpaged: flagParameter.default(false),
  sort,
};

export const pagingOf = (query: z.output<z.ZodObject<typeof pagingShape>>): Paging => ({
  page: query.unpaged ? 0 : query.page,
  size: query.unpaged ? undefined : query.size,
  isSorted: query.sort.length > 0,
});

export const pagingQuery = z.object(pagingShape);

export const seriesQuery = z.object({
  ...pagingShape,
  search: z.string().max(300).default(""),
  library_id: values,
  read_status: readStatuses,
  status: values.pipe(z.array(z.enum(["ONGOING", "ENDED", "ABANDONED", "HIATUS"]))),
  publisher: names,
  language: values,
  genre: names,
  tag: names,
  author: texts,
  deleted: flagParameter.optional(),
  oneshot: flagParameter.optional(),
});
export type SeriesQuery = z.output<typeof seriesQuery>;

export const bookQuery = z.object({
  ...pagingShape,
  search: z.string().max(300).default(""),
  library_id: values,
  read_status: readStatuses,
  media_status: values.pipe(z.array(z.enum(["UNKNOWN", "ERROR", "READY", "UNSUPPORTED", "OUTDATED"]))),
  deleted: flagParameter.optional(),
});
export type BookQuery = z.output<typeof bookQuery>;

export const seriesParams = z.object({ seriesId: idParameter });
export const bookParams = z.object({ bookId: idParameter });
export const pageParams = z.object({ bookId: idParameter, page: indexParameter });
export const listParams = z.object({ readListId: idParameter });

/** The common part of all routes: an API key in `X-API-Key`, or HTTP Basic with the password or the API key. */
export const common = { access: "komga-api.use", acceptsBasic: true } as const;
export const root = "/komga/api/v1";
export const secondRoot = "/komga/api/v2";
