import type { AudiobookChapters, AudiobookInfo } from "@longbox/audiobooks/api";

type Part = AudiobookChapters["parts"][number];
export type Chapter = AudiobookChapters["chapters"][number];

/** So long after its beginning, "previous" means the chapter before. */
const atBeginSeconds = 3;

/** A book in the player. */
export interface OpenBook {
  readonly info: AudiobookInfo;
  readonly timeline: Timeline;
}

/** The files of a book in a row. Times in seconds from the beginning of the book. */
export class Timeline {
  readonly duration: number;
  readonly chapters: readonly Chapter[];
  readonly parts: readonly Part[];

  constructor(
    private readonly issueId: number,
    { chapters, duration, parts }: AudiobookChapters,
  ) {
    [this.chapters, this.duration, this.parts] = [chapters, duration, parts];
  }

  /** Within the book. */
  clamp(position: number): number {
    return Math.min(Math.max(0, position), this.duration);
  }

  partAt(position: number): number {
    const found = this.parts.findIndex(({ end }) => position < end);
    return found === -1 ? this.parts.length - 1 : found;
  }

  chapterAt(position: number): number {
    return Math.max(
      0,
      this.chapters.findLastIndex(({ start }) => start <= position),
    );
  }

  /** Where the next chapter begins, or this one, or from its first seconds the one before. */
  stepFrom(position: number, step: number): number {
    const now = this.chapterAt(position);
    const isAtBegin = position - (this.chapters[now]?.start ?? 0) < atBeginSeconds;
    const next = step < 0 && !isAtBegin ? now : now + step;
    return this.chapters[Math.max(0, next)]?.start ?? this.duration;
  }

  /** @param convertedFrom - seconds from the beginning of the part, where the server converts it */
  addressOf(part: number, convertedFrom: number | undefined): string {
    const query = new URLSearchParams();
    if (this.parts.length > 1) query.set("part", String(part));
    if (convertedFrom !== undefined) {
      query.set("as", "mp3");
      query.set("from", convertedFrom.toFixed(3));
    }
    const address = `/api/audiobooks/issue/${this.issueId}/stream`;
    return query.size === 0 ? address : `${address}?${query}`;
  }
}

/** `1:02:03`, `2:03` */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const two = (value: number) => String(value).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}
