import type { CoverPlace } from "../../details.js";
import type { BookLook, BookMetadata } from "../book-metadata.js";
import type { LookedAt } from "../looked-at.js";
import { namesOf } from "../people.js";
import { damaged, UnreadableBook } from "../unreadable.js";
import { asinOf, dateOf, isbnOf, languageOf, lineOf, plainDescription } from "../values.js";
import { ExtraHeader } from "./extra-header.js";
import { PalmDatabase } from "./palm-database.js";

const largestHeaderBytes = 1024 * 1024;
const largestCoverBytes = 32 * 1024 * 1024;
const none = 0xffffffff;
/** Where fields of the first record lie. */
const at = {
  encryption: 12,
  magic: 16,
  headerLength: 20,
  codePage: 28,
  version: 36,
  titleOffset: 84,
  titleLength: 88,
  firstImage: 108,
  flags: 128,
};
const hasExtraHeader = 0x40;

/** Amazon's other containers: they can be told, and nothing in them can be read. */
const others: ReadonlyArray<readonly [start: string, reason: string]> = [
  ["TPZ", "The book is in Amazon's Topaz format, which cannot be read here."],
  ["\xeaDRMION", "The book is protected by Amazon (DRM): only the seller's programs can open it."],
  ["CONT", "The book is in Amazon's KFX format, which cannot be read here."],
];

/** Whether a file begins as one of Amazon's formats, and in which version if that can be told. */
export function mobiVersion(head: Buffer): number | undefined {
  if (others.some(([start]) => head.toString("latin1", 0, start.length) === start)) return 0;
  if (head.length < 86 || head.toString("latin1", 60, 68) !== "BOOKMOBI") return undefined;
  const first = head.readUInt32BE(78);
  return first + at.version + 4 <= head.length ? head.readUInt32BE(first + at.version) : 6;
}

/** Reads the header of a MOBI or AZW3. Nothing of its text is unpacked. @throws {UnreadableBook} */
export function inspectMobi(file: LookedAt): BookLook {
  const start = file.head.toString("latin1", 0, 8);
  const other = others.find(([magic]) => start.startsWith(magic));
  if (other) throw new UnreadableBook(other[1]);
  const database = new PalmDatabase(file);
  const header = database.read(0, largestHeaderBytes);
  if (header.length < 132 || header.toString("latin1", at.magic, at.magic + 4) !== "MOBI")
    throw damaged("its header is missing");
  const extra = ExtraHeader.in(header, at.magic + header.readUInt32BE(at.headerLength), {
    isThere: (header.readUInt32BE(at.flags) & hasExtraHeader) !== 0,
    isUtf8: header.readUInt32BE(at.codePage) === 65_001,
  });
  const isProtected = header.readUInt16BE(at.encryption) !== 0;
  const cover = isProtected ? undefined : coverOf(database, header, extra);
  return {
    metadata: metadataOf(header, extra),
    details: { ...(cover && { cover }), ...(isProtected && { protection: "amazon" }) },
  };
}

/** Offsets of images count from the first one; 0 is valid. */
function coverOf(database: PalmDatabase, header: Buffer, extra: ExtraHeader): CoverPlace | undefined {
  const first = header.readUInt32BE(at.firstImage);
  const offset = extra.number(201) ?? extra.number(202);
  if (first === none || offset === undefined || offset === none) return undefined;
  const record = database.find(first + offset);
  return record && record.length <= largestCoverBytes ? { kind: "bytes", ...record } : undefined;
}

function metadataOf(header: Buffer, extra: ExtraHeader): BookMetadata {
  const isbn = isbnOf(extra.text(104)) ?? isbnFrom(extra.text(112));
  const asin = asinOf(extra.text(113)) ?? asinOf(extra.text(504));
  return {
    title: lineOf(extra.text(503)) ?? lineOf(fullName(header, extra)),
    people: extra
      .texts(100)
      .flatMap(namesOf)
      .map((name) => ({ name, role: "author" })),
    language: languageOf(extra.text(524)),
    publisher: lineOf(extra.text(101)),
    date: dateOf(extra.text(106)),
    description: plainDescription(extra.text(103)),
    subjects: extra
      .texts(105)
      .flatMap((text) => text.split(";"))
      .flatMap((text) => lineOf(text) ?? []),
    ids: { ...(isbn !== undefined && { isbn }), ...(asin !== undefined && { asin }) },
  };
}

function isbnFrom(source: string | undefined): string | undefined {
  return source !== undefined && /isbn/iu.test(source) ? isbnOf(source) : undefined;
}

function fullName(header: Buffer, extra: ExtraHeader): string | undefined {
  const offset = header.readUInt32BE(at.titleOffset);
  const length = header.readUInt32BE(at.titleLength);
  if (length === 0 || length > 2000 || offset + length > header.length) return undefined;
  return extra.decode(header.subarray(offset, offset + length));
}
