import type { Issue } from "@longbox/collection/contract";

/** Bytes of a name without its extension: file systems take 255 in all. */
const longestStem = 200;

/** A name that any file system takes: `Moth Patrol 012.cbz`, whatever the file is called in the library. */
export function tidyFileName(issue: Pick<Issue, "seriesTitle" | "number">, fileName: string): string {
  const number = /^\d+$/.test(issue.number) ? issue.number.padStart(3, "0") : issue.number;
  const end = shorten(tidy(number), longestStem / 2);
  const stem = `${shorten(tidy(issue.seriesTitle), longestStem - Buffer.byteLength(end))} ${end}`.replace(/^[. ]+|[. ]+$/g, "");
  return `${stem || "issue"}${extensionOf(fileName)}`;
}

function tidy(text: string): string {
  return text.toWellFormed().replace(/[\p{Cc}\p{Cf}<>:"/\\|?*]/gu, " ").replace(/\s+/g, " ").trim();
}

/** The beginning of the text, of at most so many bytes of UTF-8, not ending within a character. */
function shorten(text: string, bytes: number): string {
  if (Buffer.byteLength(text) <= bytes) return text;
  return new TextDecoder("utf-8").decode(Buffer.from(text).subarray(0, Math.max(0, bytes))).replace(/\ufffd+$/, "");
}

function extensionOf(name: string): string {
  return /\.[A-Za-z0-9]{1,5}$/.exec(name)?.[0].toLowerCase() ?? "";
}

/** `Moth Patrol #12: The Lamp` */
export function issueTitle(issue: Pick<Issue, "seriesTitle" | "number" | "title">): string {
  const number = /^[\d½¼¾.-]/.test(issue.number) ? `#${issue.number}` : issue.number;
  return `${issue.seriesTitle} ${number}${issue.title ? `: ${issue.title}` : ""}`;
}
