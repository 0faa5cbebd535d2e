import { readXmlTree, type XmlElement } from "@longbox/sdk/xml";
import type { Capabilities, FeedItem, IndexerDocument } from "./document.js";
import { whyNotXml } from "./refusing.js";

const limits = { bytes: 8 * 1024 * 1024, elements: 60_000, depth: 16, errors: 20, textLength: 8_192 };
const mostItems = 1_000;

/** Names without their prefixes: indexers choose these as they like. */
const plain = ({ name }: XmlElement) => name.slice(name.indexOf(":") + 1);
const childrenOf = (element: XmlElement, name: string) => element.children.filter((child) => plain(child) === name);
const textOf = (element: XmlElement, name: string) => childrenOf(element, name)[0]?.text ?? "";

/** @throws {Error} with a sentence for a person */
export function readDocument(bytes: Uint8Array): IndexerDocument {
  const reason = whyNotXml(bytes);
  if (reason !== undefined) throw new Error(reason);
  const root = readXmlTree(bytes, { limits, refuseDoctype: true });
  switch (root && plain(root)) {
    case "error":
      return errorOf(root!);
    case "caps":
      return { kind: "capabilities", capabilities: capabilitiesOf(root!) };
    case "rss":
      return feedOf(root!);
    default:
      throw new Error("The answer is XML, but not that of an indexer.");
  }
}

function errorOf({ attributes }: XmlElement): IndexerDocument {
  const code = Number(attributes["code"]);
  return {
    kind: "error",
    code: Number.isInteger(code) ? code : 900,
    description: (attributes["description"] ?? "").slice(0, 300),
  };
}

function feedOf(root: XmlElement): IndexerDocument {
  const channel = childrenOf(root, "channel")[0];
  if (!channel) throw new Error("The answer is a feed without a channel.");
  const total = childrenOf(channel, "response")[0]?.attributes["total"] ?? "";
  return {
    kind: "feed",
    items: childrenOf(channel, "item").slice(0, mostItems).map(itemOf),
    total: wholeNumber(total),
  };
}

function itemOf(item: XmlElement): FeedItem {
  const attributes: Record<string, string> = {};
  for (const { attributes: attribute } of childrenOf(item, "attr"))
    attributes[(attribute["name"] ?? "").toLowerCase()] ??= attribute["value"] ?? "";
  return {
    title: textOf(item, "title"),
    guid: textOf(item, "guid"),
    link: textOf(item, "link"),
    comments: textOf(item, "comments"),
    publishedAt: textOf(item, "pubDate"),
    enclosures: childrenOf(item, "enclosure").map(({ attributes: { url = "", type = "", length = "" } }) => ({
      url,
      type,
      length,
    })),
    attributes,
  };
}

function capabilitiesOf(root: XmlElement): Capabilities {
  const server = childrenOf(root, "server")[0]?.attributes ?? {};
  const most = childrenOf(root, "limits")[0]?.attributes["max"] ?? "";
  const all = childrenOf(root, "categories").flatMap((categories) => childrenOf(categories, "category"));
  return {
    title: server["title"] ?? "",
    version: server["version"] ?? "",
    mostResults: wholeNumber(most),
    categories: all.flatMap((category) =>
      [category, ...childrenOf(category, "subcat")].flatMap(({ attributes: { id } }) => (id === undefined ? [] : [id])),
    ),
  };
}

function wholeNumber(text: string): number | undefined {
  return /^\d{1,9}$/u.test(text.trim()) ? Number(text) : undefined;
}
