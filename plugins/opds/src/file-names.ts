import type { Issue } from "@longbox/collection/contract";

/** Bytes of a name without its extension: file systems take 255 in all. */
const longestStem = 200;

/**
 * A name that is valid on any file system, such as `Moth Patrol 012.cbz` or `The Salt Road.epub`, independent of the
 * name in the library.
 */
export function tidyFileName(issue: Pick<Issue, "seriesTitle" | "number" | "label">, fileName: string): string {
  const stem = (isKnownByNumber(issue) ? numbered(issue) : shorten(tidy(issue.label.full), longestStem)).replace(
    /^[. ]+|[. ]+$/g,
    "",
  );
  return `${stem || "work"}${extensionOf(fileName)}`;
}

function numbered({ seriesTitle, number }: Pick<Issue, "seriesTitle" | "number">): string {
  const end = shorten(tidy(/^\d+$/.test(number) ? number.padStart(3, "0") : number), longestStem / 2);
  return `${shorten(tidy(seriesTitle), longestStem - Buffer.byteLength(end))} ${end}`;
}

/** `Moth Patrol #12` is; `The Salt Road` and `Low Tides, book 2` are not. */
function isKnownByNumber({ label, seriesTitle }: Pick<Issue, "label" | "seriesTitle">): boolean {
  return label.full.startsWith(`${seriesTitle} `);
}

function tidy(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}<>:"/\\|?*]/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/** The beginning of the text, of at most so many bytes of UTF-8, not ending within a character. */
function shorten(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  return new TextDecoder("utf-8").decode(Buffer.from(text).subarray(0, Math.max(0, bytes))).replace(/\ufffd+$/, "");
}

function extensionOf(name: string): string {
  return /\.[A-Za-z0-9]{1,5}$/.exec(name)?.[0].toLowerCase() ?? "";
}

/** `Moth Patrol #12: The Lamp`; a work that is known by its title has that alone. */
export function workTitle({ label, title }: Pick<Issue, "label" | "title">): string {
  return title && label.within === title ? `${label.full}: ${title}` : label.full;
}
