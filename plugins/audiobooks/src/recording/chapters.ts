import { readXmlTree, unlessRefused, type XmlElement } from "@longbox/sdk/xml";
import { clockMs } from "../parsing/vorbis-comments.js";
import type { Mark, Recording } from "./recording.js";

const longestTitle = 200;
/** Marks that are closer belong to one chapter: encoders round differently. */
const leastMs = 20;

/** The marks of one file: those of the container, or those of OverDrive in its tags. */
export function marksOf({ marks, tags }: Pick<Recording, "marks" | "tags">): readonly Mark[] {
  return marks.length > 0 ? marks : readOverDrive(tags.overDrive);
}

/** `<Markers><Marker><Name>Chapter 1</Name><Time>1:02.500</Time></Marker></Markers>` */
function readOverDrive(text: string | undefined): Mark[] {
  const root = text === undefined ? undefined : unlessRefused(() => readXmlTree(Buffer.from(text)));
  return (root?.children ?? []).flatMap((marker) => {
    const startMs = clockMs(textOf(marker, "Time"));
    return startMs === undefined ? [] : [{ startMs, title: textOf(marker, "Name") }];
  });
}

function textOf({ children }: XmlElement, name: string): string {
  return children.find((child) => child.name === name)?.text ?? "";
}

/** What a book's chapters are made from: its files in order. */
export interface MarkedPart {
  readonly milliseconds: number;
  readonly marks: readonly Mark[];
  /** What the part is called when it has no marks. */
  readonly title: string;
}

/**
 * The chapters of a book in order, the first one at 0, within its length. A file without marks is one chapter. A
 * chapter that goes on in the next file under the same name is not begun again.
 */
export function joinChapters(parts: readonly MarkedPart[]): Array<[startMs: number, title: string]> {
  const chapters: Array<[number, string]> = [];
  let beginMs = 0;
  for (const { milliseconds, marks, title } of parts) {
    if (marks.length === 0) chapters.push([Math.round(beginMs), tidy(title)]);
    for (const mark of marks.filter(({ startMs }) => startMs >= 0 && startMs < milliseconds))
      addChapter(chapters, { startMs: Math.round(beginMs + mark.startMs), title: tidy(mark.title) });
    beginMs += milliseconds;
  }
  if (chapters.length === 0) chapters.push([0, tidy(parts[0]?.title ?? "")]);
  chapters[0]![0] = 0;
  return chapters.map(([startMs, title], index) => [startMs, title || `Chapter ${index + 1}`]);
}

function addChapter(chapters: Array<[number, string]>, { startMs, title }: Mark): void {
  const last = chapters.at(-1);
  if (last && startMs - last[0] < leastMs) return;
  if (last && title !== "" && withoutContinued(title) === last[1]) return;
  chapters.push([startMs, withoutContinued(title)]);
}

/** OverDrive repeats the name of a chapter that goes on: `Chapter 3 (continued)`, `Chapter 3 (05:12)`. */
function withoutContinued(title: string): string {
  return title.replace(/\s*\((?:continued|\d{1,3}:\d\d)\)$/i, "");
}

function tidy(title: string): string {
  return title
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .trim()
    .slice(0, longestTitle);
}
