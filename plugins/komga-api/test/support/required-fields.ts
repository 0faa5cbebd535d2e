/**
 * The fields that Komga's OpenAPI document (1.23.5) requires, with the types of their values. Apps parse answers with
 * data classes made from it: a field that is missing or null makes them refuse the whole list.
 */
type Shape = {
  readonly [field: string]:
    | "string"
    | "integer"
    | "number"
    | "boolean"
    | "instant"
    | Shape
    | readonly [Shape | "string"];
};

const locks = (...names: string[]): Shape => Object.fromEntries(names.map((name) => [`${name}Lock`, "boolean"]));
const author: Shape = { name: "string", role: "string" };
const link: Shape = { label: "string", url: "string" };

export const book: Shape = {
  id: "string",
  seriesId: "string",
  seriesTitle: "string",
  libraryId: "string",
  name: "string",
  number: "integer",
  url: "string",
  created: "instant",
  lastModified: "instant",
  fileLastModified: "instant",
  fileHash: "string",
  sizeBytes: "integer",
  size: "string",
  deleted: "boolean",
  oneshot: "boolean",
  media: {
    status: "string",
    mediaType: "string",
    mediaProfile: "string",
    pagesCount: "integer",
    comment: "string",
    epubDivinaCompatible: "boolean",
    epubIsKepub: "boolean",
  },
  metadata: {
    title: "string",
    summary: "string",
    number: "string",
    numberSort: "number",
    authors: [author],
    tags: ["string"],
    isbn: "string",
    links: [link],
    created: "instant",
    lastModified: "instant",
    ...locks("authors", "isbn", "links", "number", "numberSort", "releaseDate", "summary", "tags", "title"),
  },
};

export const series: Shape = {
  id: "string",
  libraryId: "string",
  name: "string",
  url: "string",
  created: "instant",
  lastModified: "instant",
  fileLastModified: "instant",
  booksCount: "integer",
  booksReadCount: "integer",
  booksUnreadCount: "integer",
  booksInProgressCount: "integer",
  deleted: "boolean",
  oneshot: "boolean",
  metadata: {
    status: "string",
    title: "string",
    titleSort: "string",
    summary: "string",
    readingDirection: "string",
    publisher: "string",
    language: "string",
    genres: ["string"],
    tags: ["string"],
    sharingLabels: ["string"],
    links: [link],
    alternateTitles: [{ label: "string", title: "string" }],
    created: "instant",
    lastModified: "instant",
    ...locks("ageRating", "alternateTitles", "genres", "language", "links", "publisher", "readingDirection"),
    ...locks("sharingLabels", "status", "summary", "tags", "title", "titleSort", "totalBookCount"),
  },
  booksMetadata: {
    authors: [author],
    tags: ["string"],
    summary: "string",
    summaryNumber: "string",
    created: "instant",
    lastModified: "instant",
  },
};

export const readList: Shape = {
  id: "string",
  name: "string",
  summary: "string",
  ordered: "boolean",
  filtered: "boolean",
  bookIds: ["string"],
  createdDate: "instant",
  lastModifiedDate: "instant",
};

export const page: Shape = { number: "integer", fileName: "string", mediaType: "string", size: "string" };

export const readProgress: Shape = {
  page: "integer",
  completed: "boolean",
  readDate: "instant",
  created: "instant",
  lastModified: "instant",
  deviceId: "string",
  deviceName: "string",
};

export const pageOf = (item: Shape): Shape => ({
  content: [item],
  totalElements: "integer",
  totalPages: "integer",
  number: "integer",
  numberOfElements: "integer",
  size: "integer",
  first: "boolean",
  last: "boolean",
  empty: "boolean",
});

/** The fields that are missing, null or of another type, by path. */
export function problemsOf(value: unknown, shape: Shape[string], at = ""): string[] {
  if (Array.isArray(shape)) {
    if (!Array.isArray(value)) return [`${at}: no list`];
    return value.flatMap((item, index) =>
      problemsOf(item, (shape as readonly [Shape | "string"])[0], `${at}[${index}]`),
    );
  }
  if (typeof shape === "string") return isOf(shape, value) ? [] : [`${at}: ${JSON.stringify(value)} is no ${shape}`];
  if (typeof value !== "object" || value === null) return [`${at}: no object`];
  return Object.entries(shape).flatMap(([field, of]) => problemsOf(Reflect.get(value, field), of, `${at}.${field}`));
}

function isOf(type: string, value: unknown): boolean {
  if (type === "integer") return Number.isInteger(value);
  if (type === "instant") return typeof value === "string" && !Number.isNaN(Date.parse(value));
  return typeof value === type;
}
