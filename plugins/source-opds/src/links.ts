import type { Feed, FeedEntry, FeedLink } from "./reading/feed.js";

/** What can be had for nothing, and is not only lent. */
export const acquisition = /^(?:http:\/\/opds-spec\.org\/acquisition(?:\/open-access)?|acquisition|download)$/u;
export function subsectionOf({ links }: FeedEntry): FeedLink | undefined {
  return links.find(
    ({ rel, type }) => (rel === "subsection" || rel === "") && (type === "" || /atom|opds/u.test(type)),
  );
}

const images = ["http://opds-spec.org/image", "http://opds-spec.org/cover", "http://opds-spec.org/image/thumbnail"];

/** The largest image of an entry. */
export function imageOf({ links }: FeedEntry): FeedLink | undefined {
  return images.map((rel) => links.find((link) => link.rel === rel)).find((link) => link !== undefined);
}

export function nextOf({ links }: Feed, url: string): string | undefined {
  const next = links.find(({ rel }) => rel === "next");
  return next && absolute(next.href, url);
}

/** Only the web: what else a feed names is passed over. */
export function absolute(href: string, base: string): string | undefined {
  if (href === "" || !URL.canParse(href, base)) return undefined;
  const url = new URL(href, base);
  return url.protocol === "http:" || url.protocol === "https:" ? decodeBraces(url.href) : undefined;
}

/** A template keeps its variables. */
const decodeBraces = (url: string) => url.replaceAll(/%7B/giu, "{").replaceAll(/%7D/giu, "}");
