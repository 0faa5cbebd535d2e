import type { AudiobookChapters, AudiobookInfo, AudiobookProgress } from "@longbox/audiobooks/api";
import type { LongboxClient } from "@longbox/sdk/client";
import { chooseRate, chooseSkipping, chosenRate, deviceName, openBook, skipsSilences } from "./choices.js";
import { connectMediaKeys, tellMedia, tellPosition } from "./media-keys.js";
import { PositionKeeper } from "./position-keeper.js";
import { beginningOf, cannotPlay, rewindFor, worthOffering, type OpeningOptions } from "./resuming.js";
import { SilenceSkipper } from "./silence-skipper.js";
import { SleepTimer } from "./sleep-timer.js";
import { Timeline, type OpenBook } from "./timeline.js";

/** One sound for the whole window: it goes on while pages change. Times in seconds in the timeline of the book. */
export class Player extends EventTarget {
  readonly #audio = new Audio();
  readonly #keeper: PositionKeeper;
  readonly #skipper = new SilenceSkipper(this.#audio, () => this.rate);
  readonly sleep: SleepTimer;
  book: OpenBook | undefined;
  rate = chosenRate();
  problem: string | undefined;
  /** Another device of the listener is further. */
  further: AudiobookProgress["further"];
  /** The page of the book is shown, so that the bar is not needed. */
  isOnPage = false;
  #part = -1;
  #opening = 0;
  #pausedAt = 0;
  /** To play it is to begin it again. */
  #isFinished = false;
  /** Where the converted sound begins in its file; undefined when files are played as they are. */
  #convertedFrom: number | undefined;
  /** Where to go once the file is open. */
  #pending: number | undefined;

  constructor(private readonly longbox: LongboxClient) {
    super();
    this.#keeper = new PositionKeeper(longbox);
    this.#audio.preservesPitch = true;
    this.#audio.preload = "auto";
    this.#listen();
    this.sleep = new SleepTimer({
      untilChapterEnd: () => ((this.chapter?.end ?? 0) - this.position) / this.rate,
      isPlaying: () => this.isPlaying,
      fade: (volume) => (this.#audio.volume = volume),
      stop: () => this.pause(),
      goOn: () => void this.play(),
      changed: () => this.#changed(),
    });
    connectMediaKeys({
      play: () => void this.play(),
      pause: () => this.pause(),
      skip: (seconds) => this.skip(seconds),
      seek: (position) => this.seek(position),
      chapter: (step) => this.stepChapter(step),
    });
  }

  get isPlaying(): boolean {
    return !this.#audio.paused;
  }

  get position(): number {
    const part = this.book?.timeline.parts[this.#part];
    if (!part) return this.#pending ?? 0;
    return Math.min(this.#pending ?? part.start + (this.#convertedFrom ?? 0) + this.#audio.currentTime, part.end);
  }

  get chapter() {
    return this.book?.timeline.chapters[this.book.timeline.chapterAt(this.position)];
  }

  get skips(): boolean {
    return this.#skipper.isOn;
  }

  /** Opens a book where the listener left it, or at another position. */
  async open(issueId: number, { play, at }: OpeningOptions): Promise<void> {
    const opening = ++this.#opening;
    if (this.book && this.book.info.id !== issueId) this.close();
    if (this.book && at !== undefined) this.seek(at);
    if (this.book) return play ? this.play() : undefined;
    const path = `/api/audiobooks/issue/${issueId}`;
    const [[info], chapters, progress] = await Promise.all([
      this.longbox.api<AudiobookInfo[]>(`/api/audiobooks/info?issues=${issueId}`),
      this.longbox.api<AudiobookChapters>(`${path}/chapters`),
      this.longbox.api<AudiobookProgress | null>(`${path}/progress?device=${encodeURIComponent(deviceName())}`),
    ]);
    if (opening !== this.#opening || !info) return;
    this.book = { info, timeline: new Timeline(issueId, chapters) };
    openBook.set(issueId);
    const cannot = cannotPlay(info, chapters.parts);
    this.#convertedFrom = cannot !== undefined && chapters.converts ? 0 : undefined;
    this.problem = this.#convertedFrom === undefined ? cannot : undefined;
    const begin = at ?? beginningOf(progress);
    this.further = at === undefined ? worthOffering(progress, begin) : undefined;
    this.#load(this.book.timeline.clamp(begin));
    this.#isFinished = progress?.completed ?? false;
    if (at !== undefined && !this.#isFinished) this.#save({ mayGoBack: true });
    this.#tellMedia();
    if (play) await this.play();
  }

  async play(): Promise<void> {
    if (!this.book) return;
    const rewind = this.#pausedAt > 0 ? rewindFor(this.#pausedAt) : 0;
    if (rewind > 0 || this.#part === -1) this.#load(this.book.timeline.clamp(this.position - rewind));
    this.#pausedAt = 0;
    if (this.#isFinished) void this.#keeper.save({ ...this.#place(), restart: true });
    this.#isFinished = false;
    if (skipsSilences()) this.#skipper.start();
    this.#skipper.resume();
    try {
      await this.#audio.play();
    } catch (problem) {
      // The browser waits for the listener to press a button, or another file is being opened.
      if (!(problem instanceof DOMException) || problem.name === "NotSupportedError") this.#fail();
    }
    this.#changed();
  }

  pause(): void {
    this.#audio.pause();
  }

  /** Pauses; the place has been saved then, if there is a connection. */
  async leaveOff(): Promise<void> {
    this.pause();
    if (this.book) await this.#keeper.save({ ...this.#place(), mayGoBack: true });
  }

  toggle(): void {
    if (this.isPlaying) this.pause();
    else void this.play();
  }

  /** Goes to a position on purpose. */
  seek(position: number): void {
    if (!this.book) return;
    this.#pausedAt = 0;
    this.further = undefined;
    this.#load(this.book.timeline.clamp(position));
    this.#save({ mayGoBack: true });
    this.#changed();
  }

  skip(seconds: number): void {
    this.seek(this.position + seconds);
  }

  /** To the next chapter, or to the beginning of this one, and from its first seconds to the one before. */
  stepChapter(step: number): void {
    const { timeline } = this.book ?? {};
    if (!timeline) return;
    const now = timeline.chapterAt(this.position);
    const isAtBegin = this.position - timeline.chapters[now]!.start < 3;
    const next = step < 0 && !isAtBegin ? now : now + step;
    this.seek(timeline.chapters[Math.max(0, next)]?.start ?? timeline.duration);
  }

  setRate(rate: number): void {
    this.rate = rate;
    chooseRate(rate);
    this.#audio.playbackRate = rate;
    this.#changed();
  }

  /** @returns whether this browser can do it */
  setSkipping(skips: boolean): boolean {
    const can = !skips || this.#skipper.start();
    if (!skips) this.#skipper.stop();
    chooseSkipping(skips && can);
    this.#changed();
    return can;
  }

  close(): void {
    if (!this.book) return;
    if (this.isPlaying) this.#save();
    this.#opening += 1;
    this.book = undefined;
    this.#pausedAt = 0;
    this.sleep.set(undefined);
    this.#skipper.stop();
    this.#audio.pause();
    this.#audio.removeAttribute("src");
    this.#audio.load();
    this.#part = -1;
    openBook.clear();
    tellMedia(undefined, "");
    this.#changed();
  }

  #listen(): void {
    const on = (event: string, listener: () => void) => this.#audio.addEventListener(event, listener);
    on("timeupdate", () => this.#goneOn());
    on("play", () => this.#tellPosition());
    on("pause", () => this.#paused());
    on("loadedmetadata", () => this.#loaded());
    on("ended", () => this.#ended());
    on("error", () => this.book && this.#fail());
    on("ratechange", () => this.#tellPosition());
  }

  /** Opens the file that holds a position, where it is not open, and goes there. */
  #load(position: number): void {
    const { timeline } = this.book!;
    const part = timeline.partAt(position);
    this.#pending = position;
    const isConverted = this.#convertedFrom !== undefined;
    if (part === this.#part && !isConverted) return void (this.#audio.readyState > 0 && this.#loaded());
    const wasPlaying = this.isPlaying;
    this.#part = part;
    if (isConverted) this.#convertedFrom = position - timeline.parts[part]!.start;
    this.#audio.src = timeline.addressOf(part, this.#convertedFrom);
    this.#audio.playbackRate = this.#audio.defaultPlaybackRate = this.rate;
    if (wasPlaying) void this.play();
  }

  #loaded(): void {
    const part = this.book?.timeline.parts[this.#part];
    const isElsewhere = this.#pending !== undefined && this.#convertedFrom === undefined;
    if (part && this.#pending !== undefined && isElsewhere)
      this.#audio.currentTime = Math.max(0, this.#pending - part.start);
    this.#pending = this.problem = undefined;
    this.#audio.playbackRate = this.rate;
    this.#changed();
  }

  #goneOn(): void {
    if (!this.book || this.#pending !== undefined) return;
    if (this.isPlaying) this.#keeper.playing(this.#place());
    this.#tellMedia();
    this.#changed();
  }

  #paused(): void {
    if (!this.book || this.#audio.ended) return;
    this.#pausedAt = Date.now();
    this.#save();
    this.#tellPosition();
  }

  #ended(): void {
    const { timeline } = this.book ?? {};
    if (!timeline) return;
    const next = timeline.parts[this.#part + 1];
    if (next) {
      this.#load(next.start);
      void this.play();
      return;
    }
    void this.#keeper.save({ ...this.#place(), position: timeline.duration, completed: true });
    this.#changed();
  }

  /** The next attempt to play opens the file again, at the same position. */
  #fail(): void {
    [this.#pending, this.#part] = [this.position, -1];
    this.problem ??= "The sound could not be loaded. Check the connection, or download the file.";
    this.#changed();
  }

  #place() {
    const { info, timeline } = this.book!;
    return { issueId: info.id, position: this.position, duration: timeline.duration };
  }

  #save(how: { readonly mayGoBack?: boolean } = {}): void {
    if (this.book) void this.#keeper.save({ ...this.#place(), ...how });
  }

  #tellMedia(): void {
    tellMedia(this.book?.info, this.chapter?.title ?? "");
  }

  #tellPosition(): void {
    if (this.book) {
      const { duration } = this.book.timeline;
      tellPosition({ duration, position: this.position, playbackRate: this.rate, isPlaying: this.isPlaying });
    }
    this.#changed();
  }

  #changed(): void {
    this.dispatchEvent(new Event("change"));
  }
}

let only: Player | undefined;

/** The player of this window. */
export function playerOf(longbox: LongboxClient): Player {
  only ??= new Player(longbox);
  return only;
}
