import type { Person } from "@longbox/files/contract";
import type { BookMetadata } from "../book-metadata.js";
import { roleOf } from "../people.js";
import { asinOf, dateOf, isbnOf, languageOf, lineOf, plainDescription, positionOf } from "../values.js";
import { attributeOf, type MetadataElement, type PackageDocument } from "./package-document.js";

const mostSubjects = 100;

/** The metadata of a package document, in the words that all formats share. */
export function packageMetadata({ metadata }: Pick<PackageDocument, "metadata">): BookMetadata {
  const elements = new Elements(metadata);
  return {
    title: titleOf(elements),
    people: peopleOf(elements),
    language: elements.first("language", languageOf),
    publisher: elements.first("publisher", lineOf),
    date: dateOf(publishedAt(elements)),
    description: elements.first("description", plainDescription),
    subjects: elements
      .all("subject")
      .flatMap(({ text }) => lineOf(text) ?? [])
      .slice(0, mostSubjects),
    series: seriesOf(elements),
    ids: idsOf(elements),
  };
}

/** Whether the book lays out its pages itself. */
export function isFixedLayout({ metadata }: Pick<PackageDocument, "metadata">): boolean {
  return metadata.some(
    ({ name, attributes, text }) =>
      name === "meta" &&
      ((attributes["property"] === "rendition:layout" && text === "pre-paginated") ||
        (attributes["name"] === "fixed-layout" && attributes["content"] === "true")),
  );
}

/** The elements, with what EPUB 3 says of each in `meta` elements that refine it. */
class Elements {
  readonly #byName: ReadonlyMap<string, readonly MetadataElement[]>;
  readonly #refinements: ReadonlyMap<string, readonly MetadataElement[]>;

  constructor(elements: readonly MetadataElement[]) {
    this.#byName = Map.groupBy(elements, ({ name }) => name);
    this.#refinements = Map.groupBy(this.all("meta"), ({ attributes }) => attributes["refines"] ?? "");
  }

  all(name: string): readonly MetadataElement[] {
    return this.#byName.get(name) ?? [];
  }

  /** The first one of which something can be made. */
  first(name: string, make: (text: string) => string | undefined): string | undefined {
    for (const { text } of this.all(name)) {
      const made = make(text);
      if (made !== undefined) return made;
    }
    return undefined;
  }

  refined({ attributes: { id } }: MetadataElement, property: string): string | undefined {
    if (id === undefined) return undefined;
    return this.#refinements.get(`#${id}`)?.find(({ attributes }) => attributes["property"] === property)?.text;
  }

  /** `<meta name="…" content="…"/>` of EPUB 2. */
  named(name: string): string | undefined {
    return this.all("meta").find(({ attributes }) => attributes["name"] === name)?.attributes["content"];
  }
}

function titleOf(elements: Elements): string | undefined {
  const titles = elements.all("title");
  const main = titles.find((title) => elements.refined(title, "title-type") === "main");
  return lineOf(main?.text) ?? elements.first("title", lineOf);
}

function peopleOf(elements: Elements): Person[] {
  const of = (kind: "creator" | "contributor", usual: string) =>
    elements.all(kind).flatMap((element): Person[] => {
      const name = lineOf(element.text);
      const role = roleOf(attributeOf(element.attributes, "role") ?? elements.refined(element, "role")) ?? usual;
      return name === undefined || role === "producer" ? [] : [{ name, role }];
    });
  return [...of("creator", "author"), ...of("contributor", "contributor")];
}

function publishedAt(elements: Elements): string | undefined {
  const dates = elements.all("date");
  const event = (date: MetadataElement) => attributeOf(date.attributes, "event")?.toLowerCase();
  const published = dates.find((date) => event(date) === "publication");
  return (published ?? dates.find((date) => event(date) === undefined))?.text;
}

function idsOf(elements: Elements): Record<string, string> {
  const ids: Record<string, string> = {};
  for (const element of elements.all("identifier")) {
    const scheme = attributeOf(element.attributes, "scheme")?.toLowerCase() ?? "";
    const isbn = isbnOf(element.text);
    const saysIsbn = scheme === "isbn" || /^\s*(?:urn:)?isbn/iu.test(element.text) || isbn?.length === 13;
    if (isbn !== undefined && saysIsbn) ids["isbn"] ??= isbn;
    const asin = asinOf(element.text.replace(/^\s*(?:urn:)?(?:asin|amazon|mobi-asin):/iu, ""));
    if (asin !== undefined) ids["asin"] ??= asin;
  }
  return ids;
}

/** EPUB 3 lets a book belong to collections of several kinds; older books say it as calibre does. */
function seriesOf(elements: Elements): BookMetadata["series"] {
  const collections = elements
    .all("meta")
    .filter(({ attributes }) => attributes["property"] === "belongs-to-collection");
  const kindOf = (collection: MetadataElement) => elements.refined(collection, "collection-type");
  const collection =
    collections.find((one) => kindOf(one) === "series") ?? collections.find((one) => kindOf(one) === undefined);
  const name = lineOf(collection?.text);
  if (collection && name !== undefined)
    return { name, number: positionOf(elements.refined(collection, "group-position")) };
  const calibre = lineOf(elements.named("calibre:series"));
  return calibre === undefined
    ? undefined
    : { name: calibre, number: positionOf(elements.named("calibre:series_index")) };
}
