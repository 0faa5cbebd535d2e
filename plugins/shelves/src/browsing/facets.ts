/** What can be browsed by, in the order in which it is shown. */
export const facetNames = [
  "type",
  "owned",
  "read",
  "genre",
  "author",
  "artist",
  "narrator",
  "character",
  "team",
  "arc",
  "publisher",
  "decade",
  "language",
  "age",
  "format",
  "length",
  "rating",
  "added",
  "library",
] as const;
export type FacetName = (typeof facetNames)[number];

export const facetLabels: Readonly<Record<FacetName, string>> = {
  type: "Type",
  owned: "In the library",
  read: "Read",
  genre: "Genre",
  author: "Author",
  artist: "Artist",
  narrator: "Narrator",
  character: "Character",
  team: "Team",
  arc: "Story arc",
  publisher: "Publisher",
  decade: "Decade",
  language: "Language",
  age: "Age",
  format: "Format",
  length: "Length",
  rating: "Your rating",
  added: "Added",
  library: "Library",
};

export const isFacet = (name: string): name is FacetName => (facetNames as readonly string[]).includes(name);

/** Facets whose values are fixed, by number; the first stands for documents without any of the others. */
export const fixedValues = {
  read: ["unread", "reading", "read"],
  rating: ["", "1", "2", "3", "4", "5"],
  added: ["", "week", "month", "quarter", "year", "older"],
  length: ["", "pages-50", "pages-150", "pages-400", "pages-more", "hours-3", "hours-10", "hours-20", "hours-more"],
} as const satisfies Partial<Record<FacetName, readonly string[]>>;
export type FixedFacet = keyof typeof fixedValues;

export const isFixed = (facet: FacetName): facet is FixedFacet => facet in fixedValues;

/** The name of the facet that a selection of these is among the facets of the collection. */
export const selectionFacet = "shelves";

/** What is known of values of fixed facets, and of those that are codes. */
export const valueLabels: Readonly<Partial<Record<FacetName, Readonly<Record<string, string>>>>> = {
  owned: { yes: "In the library", no: "Missing" },
  read: { unread: "Unread", reading: "Reading", read: "Read" },
  rating: { "1": "1 star", "2": "2 stars", "3": "3 stars", "4": "4 stars", "5": "5 stars" },
  added: {
    week: "In the last week",
    month: "In the last month",
    quarter: "In the last three months",
    year: "In the last year",
    older: "Earlier",
  },
  length: {
    "pages-50": "Up to 50 pages",
    "pages-150": "Up to 150 pages",
    "pages-400": "Up to 400 pages",
    "pages-more": "More than 400 pages",
    "hours-3": "Up to 3 hours",
    "hours-10": "Up to 10 hours",
    "hours-20": "Up to 20 hours",
    "hours-more": "More than 20 hours",
  },
};

const dayMinutes = 24 * 60;
const addedDays = [7, 30, 90, 365];

/** The number of the value of `added`. @param minutes - since 1970 */
export function addedValue(minutes: number, nowMinutes: number): number {
  const days = (nowMinutes - minutes) / dayMinutes;
  const place = addedDays.findIndex((most) => days <= most);
  return place === -1 ? addedDays.length + 1 : place + 1;
}

/** Lengths are stored as pages, or as seconds with this bit. */
export const inSeconds = 0x80000000;
const pageSteps = [50, 150, 400];
const hourSteps = [3, 10, 20];

/** The number of the value of `length`. */
export function lengthValue(stored: number): number {
  if (stored === 0) return 0;
  const timed = stored >= inSeconds;
  const steps = timed ? hourSteps : pageSteps;
  const size = timed ? (stored - inSeconds) / 3600 : stored;
  const place = steps.findIndex((most) => size <= most);
  return (timed ? pageSteps.length + 1 : 0) + (place === -1 ? steps.length : place) + 1;
}

/** Minutes that something takes, a page counted as one. */
export const lengthMinutes = (stored: number): number =>
  stored >= inSeconds ? Math.round((stored - inSeconds) / 60) : stored;
