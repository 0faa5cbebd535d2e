import { readXmlTree, type XmlElement } from "@longbox/sdk/xml";
import { readInfoHash, readMagnet } from "../torrents/magnet.js";

/** An item of a feed, as far as it is of use. */
export interface FeedItem {
  readonly guid: string;
  readonly title: string;
  /** Where the torrent file is, as it is written there; may hold a key. */
  readonly url: string | undefined;
  readonly magnet: string | undefined;
  readonly infoHash: string | undefined;
  readonly sizeBytes: number | undefined;
  readonly seeders: number | undefined;
  /** ISO 8601 in UTC. */
  readonly publishedAt: string | undefined;
  readonly infoUrl: string | undefined;
}

export interface Refusal {
  readonly code: number;
  readonly description: string;
}

/** What an indexer answers to a search, or why it does not. */
export type Feed = { readonly items: readonly FeedItem[] } | { readonly refusal: Refusal };

const limits = { bytes: 8 * 1024 * 1024, elements: 100_000, depth: 24, errors: 50, textLength: 8_192 };
const mostItems = 1_000;

/**
 * The root of a document that an indexer answered. For a thread of its own.
 * @throws {Error} with a sentence for a person
 */
export function readRoot(bytes: Uint8Array): XmlElement {
  const start = new TextDecoder().decode(bytes.subarray(0, 300)).trimStart();
  if (/^<!doctype html|^<html/iu.test(start)) throw new Error(webPage);
  const root = readXmlTree(bytes, { limits });
  if (!root) throw new Error("The answer is empty, or no XML. Check the address of the indexer.");
  if (plain(root).toLowerCase() === "html") throw new Error(webPage);
  return root;
}

const webPage = "The answer is a web page, perhaps one to sign in on, and no Torznab feed. Check the address.";

/** @throws {Error} with a sentence for a person */
export function readFeed(bytes: Uint8Array): Feed {
  const root = readRoot(bytes);
  const refusal = refusalIn(root);
  if (refusal) return { refusal };
  const channel = childrenOf(root, "channel")[0];
  if (plain(root) !== "rss" || !channel) throw new Error("The answer is no Torznab feed. Check the address.");
  return { items: childrenOf(channel, "item").slice(0, mostItems).map(itemOf) };
}

export function refusalIn(root: XmlElement): Refusal | undefined {
  if (plain(root) !== "error") return undefined;
  const { code = "900", description = "" } = root.attributes;
  return { code: Number.parseInt(code, 10) || 900, description: description.slice(0, 200) };
}

/** Names without their prefixes, which indexers choose as they like. */
export const plain = ({ name }: XmlElement) => name.slice(name.indexOf(":") + 1);
export const childrenOf = (element: XmlElement, name: string) =>
  element.children.filter((child) => plain(child) === name);
const textOf = (element: XmlElement, name: string) => childrenOf(element, name)[0]?.text ?? "";

function itemOf(item: XmlElement): FeedItem {
  const said = attributesOf(item);
  const { url, magnet, lengthBytes } = placesOf(item, said);
  const hash =
    readInfoHash(said.get("infohash") ?? "") ?? (magnet === undefined ? undefined : readMagnet(magnet)?.infoHash);
  return {
    guid: textOf(item, "guid"),
    title: unescaped(textOf(item, "title")),
    url,
    magnet,
    infoHash: hash,
    sizeBytes: positive(said.get("size")) ?? positive(textOf(item, "size")) ?? positive(lengthBytes),
    seeders: count(said.get("seeders")),
    publishedAt: instantOf(textOf(item, "pubDate")),
    infoUrl: [textOf(item, "comments"), textOf(item, "guid")].find((text) => /^https?:\/\//u.test(text)),
  };
}

function attributesOf(item: XmlElement): Map<string, string> {
  return new Map(
    childrenOf(item, "attr").map(({ attributes }) => [
      (attributes["name"] ?? "").toLowerCase(),
      attributes["value"] ?? "",
    ]),
  );
}

/** A torrent file before a magnet link: its content can be checked before anything is downloaded. */
function placesOf(item: XmlElement, said: ReadonlyMap<string, string>) {
  const enclosures = childrenOf(item, "enclosure").map(({ attributes }) => attributes);
  const right = enclosures.find(({ type = "" }) => /bittorrent|magnet/u.test(type)) ?? enclosures[0];
  const all = [right?.["url"] ?? "", textOf(item, "link"), said.get("magneturl") ?? "", textOf(item, "guid")];
  const isMagnet = (text: string) => /^magnet:/iu.test(text);
  return {
    url: all.slice(0, 2).find((text) => text !== "" && !isMagnet(text)),
    magnet: all.find(isMagnet),
    lengthBytes: right?.["length"],
  };
}

/** Titles are often escaped twice. */
function unescaped(title: string): string {
  return title
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll(/&#0*39;|&apos;/gu, "'")
    .replaceAll("&amp;", "&");
}

function count(text: string | undefined): number | undefined {
  const value = text === undefined || text.trim() === "" ? Number.NaN : Number(text);
  return Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

function positive(text: string | undefined): number | undefined {
  const value = count(text);
  return value === 0 ? undefined : value;
}

/** A date without a zone is taken as UTC. */
export function instantOf(text: string): string | undefined {
  const zoned = /(?:[+-]\d{4}|[A-Z]{1,5})$/u.test(text.trim()) ? text : `${text} UTC`;
  const at = text.trim() === "" ? Number.NaN : Date.parse(zoned);
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}
