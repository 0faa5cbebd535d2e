import { createHash } from "node:crypto";
import { nameOf } from "../showing/releases.js";
import type { MatchedRelease } from "../showing/matching.js";
import { pathOf, type Calendar } from "./calendar.js";

/** An entry for each release (RFC 4287), newest change first. Ids hold neither the key nor the server's address. */
export function atomText({ name, instance, releases, pageOf }: Calendar): string {
  const newest = Math.max(0, ...releases.map(({ release }) => release.changed_at));
  const entries = releases
    .toSorted((one, other) => other.release.changed_at - one.release.changed_at || other.release.id - one.release.id)
    .map((release) => entryOf(release, { instance, pageOf }));
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom">',
    `<id>${idOf(instance, "feed")}</id>`,
    `<title type="text">${escaped(name)}</title>`,
    `<updated>${new Date(newest).toISOString()}</updated>`,
    "<author><name>Longbox</name></author>",
    `<link rel="alternate" type="text/html" href="${escaped(pageOf("/releases"))}"/>`,
    ...entries,
    "</feed>",
    "",
  ].join("\n");
}

function entryOf(matched: MatchedRelease, { instance, pageOf }: Pick<Calendar, "instance" | "pageOf">): string {
  const { release } = matched;
  const about = [release.title, release.publisher, `In shops on ${release.store_date}`].filter(Boolean).join(" · ");
  return [
    "<entry>",
    `<id>${idOf(instance, String(release.id))}</id>`,
    `<title type="text">${escaped(nameOf(matched))}</title>`,
    `<published>${new Date(release.first_seen).toISOString()}</published>`,
    `<updated>${new Date(release.changed_at).toISOString()}</updated>`,
    `<link rel="alternate" type="text/html" href="${escaped(pageOf(pathOf(matched)))}"/>`,
    `<content type="text">${escaped(about)}</content>`,
    "</entry>",
  ].join("\n");
}

/** A UUID (version 8: of our own making) from what it names. */
function idOf(instance: string, name: string): string {
  const hash = createHash("sha256").update(`${instance} ${name}`).digest("hex");
  const variant = ((Number.parseInt(hash[16]!, 16) & 3) | 8).toString(16);
  const parts = [hash.slice(0, 8), hash.slice(8, 12), `8${hash.slice(13, 16)}`, variant + hash.slice(17, 20)];
  return `urn:uuid:${[...parts, hash.slice(20, 32)].join("-")}`;
}

function escaped(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
