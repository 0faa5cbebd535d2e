import { keepTag, type AudioTags, type ByteRange, type MutableTags, type TagName } from "../recording/recording.js";
import { boxesIn, findBox, type Box } from "./mp4-boxes.js";
import { namedTag } from "./named-tags.js";
import type { Source } from "./source.js";

/** Texts of tags are shorter; longer ones are left out. */
const mostTextBytes = 256 * 1024;

const names: Readonly<Record<string, TagName>> = {
  "\xa9nam": "title",
  "\xa9alb": "album",
  "\xa9ART": "artist",
  aART: "albumArtist",
  "\xa9wrt": "composer",
  "\xa9nrt": "narrator",
  "\xa9mvn": "series",
  "\xa9MVN": "series",
  desc: "description",
  ldes: "description",
  "\xa9cmt": "description",
  "\xa9day": "date",
  "\xa9pub": "publisher",
  "\xa9gen": "genre",
  "\xa9grp": "grouping",
  CDEK: "asin",
};

/** The tags of an MP4 file: `moov/udta/meta/ilst`. */
export function readMp4Tags(
  source: Source,
  movie: Box,
): { readonly tags: AudioTags; readonly picture: ByteRange | undefined } {
  const tags: MutableTags = {};
  let picture: ByteRange | undefined;
  const list = findList(source, movie);
  for (const item of list ? boxesIn(source, list) : []) {
    if (item.type === "covr") picture ??= valueOf(source, item);
    else if (item.type === "----") readFreeform(source, item, tags);
    else readItem(source, item, tags);
  }
  return { tags, picture };
}

/** `meta` begins with four bytes of a version, except in files of QuickTime. */
function findList(source: Source, movie: Box): Box | undefined {
  const meta = findBox(source, movie, "udta", "meta") ?? findBox(source, movie, "meta");
  if (!meta || meta.end - meta.start < 8) return undefined;
  const isVersioned = source.read(meta.start + 4, 4).toString("latin1") !== "hdlr";
  return findBox(source, { start: meta.start + (isVersioned ? 4 : 0), end: meta.end }, "ilst");
}

function readItem(source: Source, item: Box, tags: MutableTags): void {
  const value = valueOf(source, item);
  if (!value || value.length > mostTextBytes) return;
  const numbered = { trkn: "track", disk: "disc", "\xa9mvi": "seriesPart", "\xa9MVI": "seriesPart" } as const;
  const name = numbered[item.type as keyof typeof numbered];
  if (name === undefined) keepTag(tags, names[item.type], textOf(source, value));
  else keepTag(tags, name, String(numberOf(source.read(value.offset, value.length)) || ""));
}

/** A pair such as track 3 of 12 has six bytes or more, with the number in the second two; a number alone up to four. */
function numberOf(bytes: Buffer): number {
  if (bytes.length >= 6) return bytes.readUInt16BE(2);
  return bytes.length >= 1 && bytes.length <= 4 ? bytes.readUIntBE(0, bytes.length) : 0;
}

/** Tags of programs: `----` holds a domain, a name and a value. */
function readFreeform(source: Source, item: Box, tags: MutableTags): void {
  const name = findBox(source, item, "name");
  const value = valueOf(source, item);
  if (!name || !value || value.length > mostTextBytes || name.end - name.start > 200) return;
  const text = source.read(name.start + 4, name.end - name.start - 4).toString("utf8");
  keepTag(tags, namedTag(text), textOf(source, value));
}

function valueOf(source: Source, item: Box): ByteRange | undefined {
  const data = findBox(source, item, "data");
  if (!data || data.end - data.start <= 8) return undefined;
  return { offset: data.start + 8, length: data.end - data.start - 8 };
}

function textOf(source: Source, { offset, length }: ByteRange): string {
  return source.read(offset, length).toString("utf8");
}
