import type { Protection } from "../../details.js";
import { joinMetadata, noMetadata, type BookLook, type BookMetadata } from "../book-metadata.js";
import type { LookedAt } from "../looked-at.js";
import { namesOf } from "../people.js";
import { dateOf, lineOf } from "../values.js";
import { opensWithoutPassword } from "./password.js";
import { bytesIn, dictionaryAt, findObject, stringIn, textsOf } from "./pdf-objects.js";
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
  const object = inline ?? findObject(texts, Number(reference![1]), Number(reference![2]));
  return { isEncrypted: true, scheme: object === undefined ? undefined : schemeOf(object, texts) };
}

function schemeOf(object: string, texts: readonly string[]): Protection | undefined {
  const end = object.indexOf("endobj");
  const dictionary = object.slice(0, end === -1 ? undefined : end);
  if (ownPassword.test(dictionary)) return needsPassword(dictionary, texts) ? "password" : undefined;
  return /\/Filter\s*\/(?:EBX_HANDLER|Adobe\.APS)/u.test(dictionary) ? "adobe" : "unknown";
}

/** False where that cannot be told: the program that opens the file will ask. */
function needsPassword(dictionary: string, texts: readonly string[]): boolean {
  const number = (key: string) => Number(new RegExp(String.raw`/${key}\s+(-?\d{1,11})\b`, "u").exec(dictionary)?.[1]);
  const [owner, user] = [bytesIn(dictionary, "O"), bytesIn(dictionary, "U")];
  const ids = lastMatch(texts, /\/ID\s*\[\s*(?:<[\dA-Fa-f\s]{0,200}>|\((?:[^()\\]|\\[^]){0,200}\))/gu)?.[0];
  if (!owner || !user || owner.length < 32 || user.length < 32) return false;
  const opens = opensWithoutPassword({
    revision: number("R"),
    keyLength: number("Length") || 40,
    permissions: number("P"),
    owner,
    user,
    fileId: (ids === undefined ? undefined : bytesIn(ids.replace("[", " "), "ID")) ?? Buffer.alloc(0),
    encryptsMetadata: !/\/EncryptMetadata\s+false\b/u.test(dictionary),
  });
  return opens === false;
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
