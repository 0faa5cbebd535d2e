import type { Recording } from "../recording/recording.js";
import { readFlac } from "./flac.js";
import { frameHeader } from "./mp3-frame.js";
import { readMp3 } from "./mp3.js";
import { readMp4 } from "./mp4.js";
import { readOgg } from "./ogg.js";
import { Unreadable, type Source } from "./source.js";

export type Container = "mp4" | "mp3" | "flac" | "opus" | "vorbis";

/** By the first bytes of a file. */
export function containerOf(head: Buffer): Container | undefined {
  const text = (from: number, to: number) => head.toString("latin1", from, to);
  if (text(4, 8) === "ftyp") return "mp4";
  if (text(0, 4) === "fLaC") return "flac";
  if (text(0, 4) === "OggS") {
    if (text(28, 36) === "OpusHead") return "opus";
    return text(29, 35) === "vorbis" ? "vorbis" : undefined;
  }
  if (text(0, 3) === "ID3" && head.length > 10) return "mp3";
  const frame = frameHeader(head);
  // Two frames in a row: two bytes alone begin other files too.
  return frame && frameHeader(head.subarray(frame.bytes, frame.bytes + 4)) ? "mp3" : undefined;
}

/** @throws {Unreadable} */
export function readContainer(container: Container, source: Source): Recording {
  const recording = reader(container)(source);
  if (!Number.isFinite(recording.milliseconds) || recording.milliseconds > longestMs)
    throw new Unreadable("The length that the file names is impossible.");
  return recording;
}

/** The longest books have some hundred hours. */
const longestMs = 2000 * 3600 * 1000;

function reader(container: Container): (source: Source) => Recording {
  if (container === "mp4") return readMp4;
  if (container === "mp3") return readMp3;
  return container === "flac" ? readFlac : readOgg;
}
