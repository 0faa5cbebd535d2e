import type { Release } from "@longbox/downloads/contract";
import type { FeedItem } from "../reading/document.js";

/** A listed item as a release; undefined when it cannot be fetched. @param base - What relative addresses begin at */
export function releaseOf(item: FeedItem, base: URL): Release | undefined {
  const reference = addressOf(item, base);
  const title = unescapeTwice(item.title).trim();
  if (reference === undefined || title === "") return undefined;
  const { attributes } = item;
  const size = wholeNumber(attributes["size"]) ?? wholeNumber(item.enclosures[0]?.length);
  const publishedAt = instantOf(attributes["usenetdate"]) ?? instantOf(item.publishedAt);
  const infoUrl = [item.comments, item.guid].find(isWithoutKey);
  return {
    // The address holds the key, and changes with it.
    guid: (item.guid === "" ? `${title} ${size ?? ""}` : item.guid).slice(0, 500),
    title: title.slice(0, 500),
    protocol: "usenet",
    reference,
    ...(size !== undefined && { sizeBytes: size }),
    ...(publishedAt !== undefined && { publishedAt }),
    ...(infoUrl !== undefined && { infoUrl }),
    // 2 means that an archive is in the archive, which says little.
    ...(attributes["password"] === "1" && { passwordProtected: true }),
  };
}

/** The enclosure of the right type, then any, then the link. */
function addressOf({ enclosures, link }: FeedItem, base: URL): string | undefined {
  const right = enclosures.find(({ type }) => type.includes("nzb"));
  const written = [right?.url, enclosures[0]?.url, link].find((each) => each !== undefined && each !== "");
  if (written === undefined || !URL.canParse(written, base.href)) return undefined;
  const url = new URL(written, base);
  return /^https?:$/u.test(url.protocol) && url.href.length <= 4_000 ? url.href : undefined;
}

/** Pages for people have neither a query nor a name and password. */
function isWithoutKey(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  return /^https?:$/u.test(url.protocol) && url.search === "" && url.username === "" && text.length <= 2_000;
}

const named: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

/** Many indexers escape titles twice. */
function unescapeTwice(text: string): string {
  return text.replaceAll(/&(?:#(\d{1,6})|(amp|lt|gt|quot|apos));/gu, (all, code: string | undefined, name: string) => {
    if (code === undefined) return named[name] ?? all;
    return Number(code) > 31 && Number(code) <= 0x10ffff ? String.fromCodePoint(Number(code)) : "";
  });
}

function wholeNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/u.test(text) && Number(text) > 0 ? Number(text) : undefined;
}

/** Dates without a zone are meant in UTC; some indexers count seconds instead. */
function instantOf(text: string | undefined): string | undefined {
  if (text === undefined || text === "") return undefined;
  const at = /^\d{9,10}$/u.test(text) ? Number(text) * 1000 : Date.parse(withZone(text.trim()));
  return Number.isNaN(at) ? undefined : new Date(at).toISOString();
}

function withZone(text: string): string {
  if (/(?:[+-]\d{2}:?\d{2}|Z|\b[A-Z]{2,4})$/u.test(text)) return text;
  return /\dT\d/u.test(text) ? `${text}Z` : `${text} UTC`;
}
