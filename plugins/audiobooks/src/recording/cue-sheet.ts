import type { Mark } from "./recording.js";

const mostLines = 20_000;
const framesInSecond = 75;

/** The marks of a cue sheet by the name of the file that they are in. */
export function readCueSheet(bytes: Buffer): ReadonlyMap<string, readonly Mark[]> {
  const files = new Map<string, Mark[]>();
  let [marks, title, inTrack]: [Mark[], string, boolean] = [[], "", false];
  for (const line of textOf(bytes).split(/\r?\n/, mostLines)) {
    const [, word = "", rest = ""] = /^\s*([A-Za-z]+)\s+(.*?)\s*$/.exec(line) ?? [];
    const keyword = word.toUpperCase();
    if (keyword === "FILE") files.set(unquoted(rest.replace(/\s+\w+$/, "")), (marks = []));
    else if (keyword === "TRACK") [title, inTrack] = ["", true];
    else if (keyword === "TITLE" && inTrack) title = unquoted(rest);
    else if (keyword === "INDEX") {
      const startMs = indexMs(rest);
      if (startMs !== undefined) marks.push({ startMs, title });
    }
  }
  return files;
}

/** `01 05:30:74` is minute 5, second 30, frame 74. Other indexes than 01 lie within a track. */
function indexMs(text: string): number | undefined {
  const [, minutes, seconds, frames] = /^0*1\s+(\d{1,5}):(\d{1,2}):(\d{1,2})$/.exec(text) ?? [];
  if (minutes === undefined) return undefined;
  return (Number(minutes) * 60 + Number(seconds) + Number(frames) / framesInSecond) * 1000;
}

function unquoted(text: string): string {
  return text.replace(/^"(.*)"$/, "$1");
}

/** UTF-8 where every byte fits, else Windows-1252, in which every byte is a character. */
function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
