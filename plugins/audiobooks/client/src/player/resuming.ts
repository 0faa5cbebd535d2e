import { t } from "@longbox/sdk/ui";
import type { AudiobookChapters, AudiobookInfo, AudiobookProgress } from "@longbox/audiobooks/api";
import type { LongboxClient } from "@longbox/sdk/client";
import { addressesOf } from "./addresses.js";

/** What is known of a book before it is played. */
export interface Opening {
  readonly info: AudiobookInfo | undefined;
  readonly chapters: AudiobookChapters;
  readonly progress: AudiobookProgress | null;
}

export async function fetchOpening(longbox: LongboxClient, issueId: number): Promise<Opening> {
  const addresses = addressesOf(issueId);
  const [[info], chapters, progress] = await Promise.all([
    longbox.api<AudiobookInfo[]>(addresses.info),
    longbox.api<AudiobookChapters>(addresses.chapters),
    longbox.api<AudiobookProgress | null>(addresses.progress),
  ]);
  return { info, chapters, progress };
}

export interface OpeningOptions {
  readonly play: boolean;
  /** In seconds. Default: where the listener left the book. */
  readonly at?: number | undefined;
}

const minuteMs = 60_000;

/**
 * How far to go back after a pause, in seconds: after a long pause, a listener needs to hear more again.
 * @param since - milliseconds since 1970
 */
export function rewindFor(since: number): number {
  const awayMs = Date.now() - since;
  if (awayMs < minuteMs / 6) return 0;
  if (awayMs < 10 * minuteMs) return 2;
  return awayMs < 24 * 60 * minuteMs ? 10 : 30;
}

/** Where to go on, in seconds: a little before the position, at the start of a book that was finished. */
export function beginningOf(progress: AudiobookProgress | null): number {
  return progress === null || progress.completed ? 0 : progress.position - rewindFor(Date.parse(progress.at));
}

/** Closer places are not worth a question. */
const leastAheadSeconds = 45;

/** The place of another device, when it is clearly further than where this one begins. */
export function worthOffering(progress: AudiobookProgress | null, begin: number): AudiobookProgress["further"] {
  const further = progress?.completed ? undefined : progress?.further;
  return further && further.position - begin >= leastAheadSeconds ? further : undefined;
}

/** Why this browser cannot play a book; undefined when it may be able to. */
export function cannotPlay({ codec, format }: AudiobookInfo, parts: AudiobookChapters["parts"]): string | undefined {
  const [first] = parts;
  if (!first) return undefined;
  const codecs: Readonly<Record<string, string>> = { aac: "mp4a.40.2", opus: "opus", vorbis: "vorbis", alac: "alac" };
  const type = codecs[codec] ? `${first.contentType}; codecs="${codecs[codec]}"` : first.contentType;
  if (new Audio().canPlayType(type) !== "") return undefined;
  return t("resuming.thisBrowserCannotPlay", { codec: codec.toUpperCase(), format: format.toUpperCase() });
}
