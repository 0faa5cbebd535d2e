import { inflateSync } from "node:zlib";

const mostStreams = 50;
const largestStreamBytes = 4 * 1024 * 1024;

/**
 * The bytes as Latin-1 text, so that every character is a byte, with what streams of objects and of references hold.
 */
export function textsOf(ends: readonly Buffer[]): string[] {
  const texts = ends.map((end) => end.toString("latin1"));
  const packed = ends.flatMap((end, index) => packedObjects(end, texts[index]!));
  return [...packed.slice(0, mostStreams), ...texts];
}

/** Objects of newer files stand in compressed streams; each of them becomes a text of `N 0 obj …`. */
function packedObjects(bytes: Buffer, text: string): string[] {
  const found: string[] = [];
  for (const match of text.matchAll(/<<([^<>]{0,1000}\/Type\s*\/ObjStm\b[^<>]{0,1000})>>\s*stream\r?\n/gu)) {
    if (found.length >= mostStreams) break;
    const dictionary = match[1]!;
    const begin = match.index + match[0].length;
    const length = Number(/\/Length\s+(\d{1,8})(?!\s+\d+\s+R)/u.exec(dictionary)?.[1] ?? 0);
    const count = Number(/\/N\s+(\d{1,6})\b/u.exec(dictionary)?.[1] ?? 0);
    const first = Number(/\/First\s+(\d{1,8})\b/u.exec(dictionary)?.[1] ?? 0);
    const end = length > 0 && begin + length <= bytes.length ? begin + length : text.indexOf("endstream", begin);
    const content = end === -1 ? undefined : inflated(bytes.subarray(begin, end));
    if (content !== undefined) found.push(listed(content, { count, first }));
  }
  return found;
}

function inflated(packed: Buffer): string | undefined {
  try {
    return inflateSync(packed, { maxOutputLength: largestStreamBytes }).toString("latin1");
  } catch {
    // Other packings, and damage: the objects in it are not found.
    return undefined;
  }
}

/** The stream begins with pairs of an object's number and its offset behind `first`. */
function listed(content: string, { count, first }: { readonly count: number; readonly first: number }): string {
  const numbers = content
    .slice(0, first)
    .trim()
    .split(/\s+/u)
    .slice(0, count * 2)
    .map(Number);
  const objects: string[] = [];
  for (let index = 0; index + 1 < numbers.length; index += 2) {
    const end = numbers[index + 3];
    const body = content.slice(first + numbers[index + 1]!, end === undefined ? undefined : first + end);
    objects.push(`${numbers[index]} 0 obj\n${body}\nendobj`);
  }
  return objects.join("\n");
}

/** What stands behind `N G obj` in the last version of an object. At most 20,000 characters. */
export function findObject(texts: readonly string[], number: number, generation: number): string | undefined {
  const start = `${number} ${generation} obj`;
  for (const text of texts.toReversed())
    for (let at = text.lastIndexOf(start); at !== -1; at = at === 0 ? -1 : text.lastIndexOf(start, at - 1))
      if (at === 0 || !/\d/u.test(text[at - 1]!)) return text.slice(at + start.length, at + start.length + 20_000);
  return undefined;
}

/** The dictionary with which an object begins, up to the object's end. */
export function dictionaryAt(object: string): string | undefined {
  const end = object.indexOf("endobj");
  return object.trimStart().startsWith("<<") ? object.slice(0, end === -1 ? undefined : end) : undefined;
}

/** A text of a dictionary. */
export function stringIn(dictionary: string, key: string): string | undefined {
  const bytes = bytesIn(dictionary, key);
  return bytes && decoded(bytes);
}

/** The bytes of a text of a dictionary, written as `(…)` or as hexadecimal digits. */
export function bytesIn(dictionary: string, key: string): Buffer | undefined {
  // One pair of parentheses may stand inside of the text as it is.
  const text = String.raw`\(((?:[^()\\]|\\[^]|\((?:[^()\\]|\\[^]){0,1000}\)){0,4000})`;
  const match = new RegExp(String.raw`/${key}\s*(?:${text}|<([\dA-Fa-f\s]{0,16000})>)`, "u").exec(dictionary);
  if (match?.[2] !== undefined) return Buffer.from(match[2].replaceAll(/\s/gu, ""), "hex");
  return match?.[1] === undefined ? undefined : Buffer.from(unescaped(match[1]), "latin1");
}

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" };

function unescaped(text: string): string {
  return text.replaceAll(/\\(?:[0-7]{1,3}|\r\n?|[^])/gu, (whole) => {
    const escaped = whole.slice(1);
    if (/^[0-7]/u.test(escaped)) return String.fromCharCode(Number.parseInt(escaped, 8) & 0xff);
    return /^[\r\n]/u.test(escaped) ? "" : (escapes[escaped] ?? escaped);
  });
}

/** UTF-16 with a mark, UTF-8 with a mark, else nearly Windows-1252. */
function decoded(bytes: Buffer): string {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder("utf-16be").decode(bytes.subarray(2));
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes.subarray(2));
  const isUtf8 = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  return new TextDecoder(isUtf8 ? "utf-8" : "windows-1252").decode(bytes);
}
