import { locale, t } from "@longbox/sdk/ui";
import type { FacetList } from "@longbox/shelves/api";

type Facet = FacetList[number];
type Words = Readonly<Record<string, string>>;

const names: Words = {
  type: t("facetWords.type"),
  owned: t("facetWords.owned"),
  read: t("facetWords.read"),
  genre: t("facetWords.genre"),
  author: t("facetWords.author"),
  artist: t("facetWords.artist"),
  narrator: t("facetWords.narrator"),
  character: t("facetWords.character"),
  team: t("facetWords.team"),
  arc: t("facetWords.arc"),
  publisher: t("facetWords.publisher"),
  decade: t("facetWords.decade"),
  language: t("facetWords.language"),
  age: t("facetWords.age"),
  format: t("facetWords.format"),
  length: t("facetWords.length"),
  rating: t("facetWords.rating"),
  added: t("facetWords.added"),
  library: t("facetWords.library"),
};

/** Of facets whose values are the same on every server. */
const values: Readonly<Record<string, Words>> = {
  type: {
    comic: t("facetWords.typeComic"),
    manga: t("facetWords.typeManga"),
    book: t("facetWords.typeBook"),
    audiobook: t("facetWords.typeAudiobook"),
  },
  owned: {
    yes: t("facetWords.ownedYes"),
    no: t("facetWords.ownedNo"),
  },
  read: {
    unread: t("facetWords.readUnread"),
    reading: t("facetWords.readReading"),
    read: t("facetWords.readRead"),
  },
  rating: {
    "": t("facetWords.ratingNone"),
    "1": t("facetWords.rating1"),
    "2": t("facetWords.rating2"),
    "3": t("facetWords.rating3"),
    "4": t("facetWords.rating4"),
    "5": t("facetWords.rating5"),
  },
  added: {
    week: t("facetWords.addedWeek"),
    month: t("facetWords.addedMonth"),
    quarter: t("facetWords.addedQuarter"),
    year: t("facetWords.addedYear"),
    older: t("facetWords.addedOlder"),
  },
  length: {
    "pages-50": t("facetWords.lengthPages50"),
    "pages-150": t("facetWords.lengthPages150"),
    "pages-400": t("facetWords.lengthPages400"),
    "pages-more": t("facetWords.lengthPagesMore"),
    "hours-3": t("facetWords.lengthHours3"),
    "hours-10": t("facetWords.lengthHours10"),
    "hours-20": t("facetWords.lengthHours20"),
    "hours-more": t("facetWords.lengthHoursMore"),
  },
};

/** The facet with its words in the language of the document. */
export function wordedFacet(facet: Facet): Facet {
  const { name } = facet;
  const label = names[name] ?? facet.label;
  return { ...facet, label, values: facet.values.map((value) => ({ ...value, label: labelOf(name, value) })) };
}

function labelOf(facet: string, { value, label }: Facet["values"][number]): string {
  const known = values[facet]?.[value];
  if (known !== undefined) return known;
  if (value === "") return t("facetWords.withoutAny");
  if (facet === "decade") return t("facetWords.years", { decade: value });
  return facet === "language" ? (languageName(value) ?? label) : label;
}

/** Undefined for what is no tag of a language: files say what they like. */
function languageName(tag: string): string | undefined {
  try {
    return new Intl.DisplayNames(locale, { type: "language" }).of(tag);
  } catch {
    return undefined;
  }
}
