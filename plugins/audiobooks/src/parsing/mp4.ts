import type { Mark, Recording } from "../recording/recording.js";
import { boxesIn, contentOf, findBox, type Box } from "./mp4-boxes.js";
import { readNeroChapters, readTextTrack } from "./mp4-chapters.js";
import { fragmentedDuration } from "./mp4-fragments.js";
import { readMp4Tags } from "./mp4-tags.js";
import { readTimes, readTrack, type Track } from "./mp4-tracks.js";
import { Unreadable, type Source } from "./source.js";

const mostTracks = 32;
/** What the sample descriptions of protected files say. */
const protectedCodecs = new Set(["drms", "enca", "aavd", "aaxc"]);

/** Reads the headers of an MP4 file (M4B, M4A); its sound is not read. @throws {Unreadable} */
export function readMp4(source: Source): Recording {
  const movie = findMovie(source);
  const tracks = [...boxesIn(source, movie)]
    .filter(({ type }) => type === "trak")
    .slice(0, mostTracks)
    .flatMap((box) => readTrack(source, box) ?? []);
  const sound = tracks.find(({ handler }) => handler === "soun");
  if (!sound) throw new Unreadable("The file has no sound.");
  if (protectedCodecs.has(sound.codec)) throw new Unreadable("The file is protected against copying (DRM).");
  const { tags, picture } = readMp4Tags(source, movie);
  return {
    codec: sound.codec === "mp4a" ? "aac" : sound.codec,
    milliseconds: durationOf(source, movie, sound),
    tags: { ...(sound.language && { language: sound.language }), ...tags },
    marks: chaptersOf(source, { movie, tracks, sound }),
    picture,
    frames: undefined,
  };
}

function findMovie(source: Source): Box {
  const movie = findBox(source, { start: 0, end: source.sizeBytes }, "moov");
  if (!movie) throw new Unreadable("The file has no header; it may not have been copied to its end.");
  return movie;
}

/** The duration of the sound; fragmented files have it in `mehd`, or in their last fragment. */
function durationOf(source: Source, movie: Box, sound: Track): number {
  if (sound.duration > 0 && sound.timescale > 0) return (sound.duration * 1000) / sound.timescale;
  const header = findBox(source, movie, "mvhd");
  const times = header && readTimes(contentOf(source, header));
  const fragments = findBox(source, movie, "mvex", "mehd");
  const bytes = fragments && contentOf(source, fragments, 64);
  const fragmented = bytes && (bytes[0] === 1 ? Number(bytes.readBigUInt64BE(4)) : bytes.readUInt32BE(4));
  const duration = fragmented ?? times?.duration ?? 0;
  if (duration === 0 && sound.timescale > 0) {
    const units = fragmentedDuration(source, movie, sound);
    if (units > 0) return (units * 1000) / sound.timescale;
  }
  if (!times || times.timescale === 0 || duration === 0) throw new Unreadable("The file does not say how long it is.");
  return (duration * 1000) / times.timescale;
}

interface Chaptered {
  readonly movie: Box;
  readonly tracks: readonly Track[];
  readonly sound: Track;
}

/** Both kinds may be there; the text track has longer titles, and more than 255 of them. */
function chaptersOf(source: Source, { movie, tracks, sound }: Chaptered): Mark[] {
  const linked = tracks.find(
    ({ id, handler, timescale }) =>
      sound.chapterTracks.includes(id) && (handler === "text" || handler === "sbtl") && timescale > 0,
  );
  const marks = linked ? readTextTrack(source, linked) : [];
  if (marks.length > 0) return marks;
  const list = findBox(source, movie, "udta", "chpl");
  return list ? readNeroChapters(source, list) : [];
}
