import type { Protection } from "../../details.js";
import { joinMetadata, noMetadata, type BookLook, type BookMetadata } from "../book-metadata.js";
import type { LookedAt } from "../looked-at.js";
import { namesOf } from "../people.js";
import { dateOf, lineOf } from "../values.js";
import { dictionaryAt, findObject, stringIn, textsOf } from "./pdf-objects.js";
import { readXmp } from "./xmp.js";

/** Bytes that are read at each end of a file: programs put what they say of a document into one of them. */
const endBytes = 1024 * 1024;
const ownPassword = /\/Filter\s*\/Standard\b/u;

/**
 * Reads what both ends of a PDF say of it: its metadata (XMP and the older dictionary), its pages, and its protection.
 * Pages are not looked at. What stands in the middle of a large file is not found.
 */
export function inspectPdf(file: LookedAt): BookLook {
  const head = file.read(0, Math.min(endBytes, file.sizeBytes));
  const tailLength = Math.min(endBytes, Math.max(0, file.sizeBytes - head.length));
  const ends = [head, file.read(file.sizeBytes - tailLength, tailLength)];
  const texts = textsOf(ends);
  const protection = protectionOf(texts);
  const xmp = ends.map(readXmp).findLast((found) => found !== undefined) ?? noMetadata;
  const pages = countPages(texts);
  return {
    // The texts of an encrypted file are encrypted, too.
    metadata: protection.isEncrypted ? xmp : joinMetadata(xmp, informationOf(texts)),
    details: {
      ...(protection.scheme !== undefined && { protection: protection.scheme }),
      ...(pages !== undefined && { pages }),
    },
  };
}

/** The standard scheme mostly limits printing, and an empty password opens the file; others are those of sellers. */
function protectionOf(texts: readonly string[]): { isEncrypted: boolean; scheme: Protection | undefined } {
  const reference = lastMatch(texts, /\/Encrypt\s+(\d{1,10})\s+(\d{1,5})\s+R/gu);
  const inline = lastMatch(texts, /\/Encrypt\s*<<[^]{0,2000}?>>/gu)?.[0];
  if (!reference && inline === undefined) return { isEncrypted: false, scheme: undefined };
  const dictionary = inline ?? findObject(texts, Number(reference![1]), Number(reference![2]));
  if (dictionary === undefined) return { isEncrypted: true, scheme: undefined };
  const seller = /\/Filter\s*\/(?:EBX_HANDLER|Adobe\.APS)/u.test(dictionary) ? "adobe" : "unknown";
  return { isEncrypted: true, scheme: ownPassword.test(dictionary) ? undefined : seller };
}

function informationOf(texts: readonly string[]): BookMetadata {
  const reference = lastMatch(texts, /\/Info\s+(\d{1,10})\s+(\d{1,5})\s+R/gu);
  const object = reference && findObject(texts, Number(reference[1]), Number(reference[2]));
  const dictionary = object === undefined ? undefined : dictionaryAt(object);
  if (dictionary === undefined) return noMetadata;
  return {
    ...noMetadata,
    title: honestTitle(stringIn(dictionary, "Title")),
    people: namesOf(lineOf(stringIn(dictionary, "Author"))).map((name) => ({ name, role: "author" })),
    date: dateOf(stringIn(dictionary, "CreationDate")?.replace(/^D:(\d{4})(\d\d)?(\d\d)?.*$/su, "$1-$2-$3")),
    subjects: (stringIn(dictionary, "Keywords") ?? "").split(/[;,]/u).flatMap((text) => lineOf(text) ?? []),
  };
}

/** Programs write the names of their documents: `Microsoft Word - draft3.doc`, `untitled`. */
function honestTitle(text: string | undefined): string | undefined {
  const title = lineOf(text);
  if (title === undefined || /^(?:untitled|microsoft |print|scan)/iu.test(title)) return undefined;
  return /\.(?:docx?|pdf|indd|tex|qxd|odt|rtf|dvi|ps|pptx?)$/iu.test(title) ? undefined : title;
}

/** The root of the tree of pages counts all of them. */
function countPages(texts: readonly string[]): number | undefined {
  let most = 0;
  for (const text of texts)
    for (const [dictionary] of text.matchAll(/<<[^<>]{0,2000}\/Type\s*\/Pages\b[^<>]{0,2000}>>/gu))
      most = Math.max(most, Number(/\/Count\s+(\d{1,6})\b/u.exec(dictionary)?.[1] ?? 0));
  const linearized = /\/Linearized\b[^<>]{0,500}?\/N\s+(\d{1,6})\b/u.exec(texts[0]?.slice(0, 2000) ?? "")?.[1];
  const pages = Math.max(most, Number(linearized ?? 0));
  return pages > 0 ? pages : undefined;
}

/** What was written last counts: later versions of a file are put behind earlier ones. */
function lastMatch(texts: readonly string[], pattern: RegExp): RegExpExecArray | undefined {
  for (const text of texts.toReversed()) {
    const found = [...text.matchAll(pattern)].at(-1);
    if (found) return found;
  }
  return undefined;
}
