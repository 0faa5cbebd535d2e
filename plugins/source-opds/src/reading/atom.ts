import { readXmlTree, type XmlElement } from "@longbox/sdk/xml";
import { instantOf, mostAuthors, mostEntries, mostLinks, type Feed, type FeedEntry, type FeedLink } from "./feed.js";

const limits = { bytes: 4 * 1024 * 1024, elements: 60_000, depth: 24, errors: 20, textLength: 8_192 };

/** Names without their prefixes: servers choose these as they like. */
const plain = ({ name }: XmlElement) => name.slice(name.indexOf(":") + 1);
const childrenOf = (element: XmlElement, name: string) => element.children.filter((child) => plain(child) === name);
const textOf = (element: XmlElement, name: string) => childrenOf(element, name)[0]?.text;

/** @throws {Error} with a sentence for a person */
export function readAtom(bytes: Uint8Array): Feed {
  const root = readXmlTree(bytes, { limits });
  if (!root || plain(root) !== "feed") throw new Error("The answer is not a catalog: its root is not a feed.");
  return {
    title: textOf(root, "title") ?? "",
    links: linksOf(root),
    entries: childrenOf(root, "entry").slice(0, mostEntries).map(entryOf),
  };
}

function entryOf(entry: XmlElement): FeedEntry {
  return {
    id: textOf(entry, "id") ?? "",
    title: textOf(entry, "title") ?? "",
    updated: instantOf(textOf(entry, "updated")),
    authors: childrenOf(entry, "author")
      .slice(0, mostAuthors)
      .flatMap((author) => textOf(author, "name") || []),
    language: textOf(entry, "language"),
    summary: textOf(entry, "summary") ?? textOf(entry, "content"),
    links: linksOf(entry),
  };
}

function linksOf(element: XmlElement): FeedLink[] {
  return childrenOf(element, "link")
    .slice(0, mostLinks)
    .map(({ attributes }) => ({
      rel: attributes["rel"] ?? "",
      href: attributes["href"] ?? "",
      type: attributes["type"] ?? "",
      length: /^\d{1,15}$/u.test(attributes["length"] ?? "") ? Number(attributes["length"]) : undefined,
    }));
}

/** The template for acquisition feeds, before that of any feed. */
export function readDescription(bytes: Uint8Array): string {
  const root = readXmlTree(bytes, { limits });
  if (!root || plain(root) !== "OpenSearchDescription") return "";
  const templates = childrenOf(root, "Url").filter(({ attributes }) => attributes["type"]?.includes("atom+xml"));
  const best = templates.find(({ attributes }) => attributes["type"]?.includes("acquisition")) ?? templates[0];
  return best?.attributes["template"] ?? "";
}
