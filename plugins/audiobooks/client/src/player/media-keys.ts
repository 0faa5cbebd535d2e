import type { AudiobookInfo } from "@longbox/audiobooks/api";

/** What headset keys, lock screens and the keys of a keyboard do. */
export interface MediaActions {
  readonly play: () => void;
  readonly pause: () => void;
  readonly skip: (seconds: number) => void;
  readonly seek: (position: number) => void;
  readonly chapter: (step: number) => void;
}

export const backSeconds = 15;
export const forwardSeconds = 30;

/** Connects the book with the system's media controls, where the browser has them. */
export function connectMediaKeys({ play, pause, skip, seek, chapter }: MediaActions): void {
  if (!("mediaSession" in navigator)) return;
  const handlers: ReadonlyArray<[MediaSessionAction, MediaSessionActionHandler]> = [
    ["play", play],
    ["pause", pause],
    ["seekbackward", ({ seekOffset }) => skip(-(seekOffset ?? backSeconds))],
    ["seekforward", ({ seekOffset }) => skip(seekOffset ?? forwardSeconds)],
    ["seekto", ({ seekTime }) => seekTime !== undefined && seek(seekTime)],
    ["previoustrack", () => chapter(-1)],
    ["nexttrack", () => chapter(1)],
  ];
  for (const [action, handler] of handlers) {
    try {
      navigator.mediaSession.setActionHandler(action, handler);
    } catch {
      // A browser refuses the actions that it does not know.
      continue;
    }
  }
}

let told = "";

/** What lock screens show. They are told only what changed. */
export function tellMedia(book: AudiobookInfo | undefined, chapter: string): void {
  const now = `${book?.id} ${chapter}`;
  if (!("mediaSession" in navigator) || told === now) return;
  told = now;
  if (!book) {
    navigator.mediaSession.metadata = null;
    navigator.mediaSession.playbackState = "none";
    return;
  }
  navigator.mediaSession.metadata = new MediaMetadata({
    title: chapter || book.title,
    artist: book.authors.join(", "),
    album: book.title,
    artwork: [{ src: `${book.cover}?w=512`, sizes: "512x512" }],
  });
}

export function tellPosition(state: {
  duration: number;
  position: number;
  playbackRate: number;
  isPlaying: boolean;
}): void {
  if (!("mediaSession" in navigator)) return;
  const { isPlaying, duration, position, playbackRate } = state;
  navigator.mediaSession.playbackState = isPlaying ? "playing" : "paused";
  // A position behind the end is refused.
  if (duration > 0)
    navigator.mediaSession.setPositionState({ duration, position: Math.min(position, duration), playbackRate });
}
