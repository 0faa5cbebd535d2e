import { t } from "@longbox/sdk/ui";
import type { AudiobookProgress } from "@longbox/audiobooks/api";
import type { LongboxClient } from "@longbox/sdk/client";
import {
  chooseRate,
  chooseSkipping,
  chooseVolume,
  chosenRate,
  chosenVolume,
  fastest,
  openBook,
  skipsSilences,
  slowest,
} from "./choices.js";
import { connectMediaKeys, tellMedia, tellPosition } from "./media-keys.js";
import { OnlySound } from "./only-sound.js";
import { PlaceInFiles } from "./place-in-files.js";
import { PositionKeeper } from "./position-keeper.js";
import { beginningOf, cannotPlay, fetchOpening, rewindFor, worthOffering, type OpeningOptions } from "./resuming.js";
import { SilenceSkipper } from "./silence-skipper.js";
import { SleepTimer } from "./sleep-timer.js";
import { Timeline, type OpenBook } from "./timeline.js";

/** One sound for the whole window: it goes on while pages change. Times in seconds in the timeline of the book. */
export class Player extends EventTarget {
  readonly #audio = new Audio();
  readonly #place = new PlaceInFiles(this.#audio);
  readonly #keeper: PositionKeeper;
  readonly #skipper = new SilenceSkipper(this.#audio, () => this.rate);
  readonly #only = new OnlySound(() => this.pause());
  readonly sleep: SleepTimer;
  book: OpenBook | undefined;
  rate = chosenRate();
  /** 0 to 1. */
  volume = chosenVolume();
  problem: string | undefined;
  /** Why the book cannot be played at all: no file of it that loads changes that. */
  #cannot: string | undefined;
  /** Another device of the listener is further. */
  further: AudiobookProgress["further"];
  /** The page of the book is shown, so that the bar is not needed. */
  isOnPage = false;
  /** Sound is on its way: the listener waits. */
  isWaiting = false;
  /** The connection was lost while it played. */
  #isCutOff = false;
  #opening = 0;
  #pausedAt = 0;
  /** To play it is to begin it again. */
  #isFinished = false;

  constructor(private readonly longbox: LongboxClient) {
    super();
    this.#keeper = new PositionKeeper(longbox);
    this.#audio.preservesPitch = true;
    this.#audio.volume = this.volume;
    this.#audio.preload = "auto";
    this.#listen();
    this.sleep = new SleepTimer({
      untilChapterEnd: () => ((this.chapter?.end ?? 0) - this.position) / this.rate,
      isPlaying: () => this.isPlaying,
      fade: (share) => (this.#audio.volume = this.volume * share),
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
    return this.#place.position;
  }

  get chapter() {
    const { timeline } = this.book ?? {};
    return timeline?.chapters[timeline.chapterAt(this.position)];
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
    // Before the server is asked: what waits may be sent, and forgotten, meanwhile.
    const unsent = this.#keeper.unsent(issueId);
    const { info, chapters, progress: known } = await fetchOpening(this.longbox, issueId);
    const progress = unsent ? { ...known, ...unsent } : known;
    if (opening !== this.#opening || !info) return;
    this.book = { info, timeline: new Timeline(issueId, chapters) };
    openBook.set(issueId);
    const cannot = cannotPlay(info, chapters.parts);
    const isConverted = cannot !== undefined && chapters.converts;
    this.#place.begin(this.book.timeline, isConverted);
    this.problem = this.#cannot = isConverted ? undefined : cannot;
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
    if (rewind > 0 || !this.#place.isOpen) this.#load(this.book.timeline.clamp(this.position - rewind));
    this.#pausedAt = 0;
    this.#isCutOff = false;
    if (this.#audio.ended && this.#isFinished) this.#load(0);
    if (this.#isFinished) void this.#keeper.save({ ...this.#report(), restart: true });
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
    this.#isCutOff = false;
    this.#audio.pause();
  }

  /** Pauses; the place has been saved then, if there is a connection. */
  async leaveOff(): Promise<void> {
    this.pause();
    if (this.book) await this.#keeper.save({ ...this.#report(), mayGoBack: true });
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

  stepChapter(step: number): void {
    if (this.book) this.seek(this.book.timeline.stepFrom(this.position, step));
  }

  setRate(rate: number): void {
    this.rate = Math.min(fastest, Math.max(slowest, Math.round(rate * 100) / 100));
    chooseRate(this.rate);
    this.#audio.playbackRate = this.rate;
    this.#changed();
  }

  setVolume(volume: number): void {
    this.volume = this.#audio.volume = volume;
    chooseVolume(volume);
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
    this.#place.close();
    openBook.clear();
    tellMedia(undefined, "");
    this.#changed();
  }

  #listen(): void {
    const on = (event: string, listener: () => void) => this.#audio.addEventListener(event, listener);
    on("timeupdate", () => this.#goneOn());
    on("play", () => this.#begun());
    for (const event of ["waiting", "playing", "pause", "emptied"]) on(event, () => this.#wait(event === "waiting"));
    on("pause", () => this.#paused());
    on("loadedmetadata", () => this.#loaded());
    on("ended", () => this.#ended());
    on("error", () => this.book && this.#fail());
    on("ratechange", () => this.#tellPosition());
    addEventListener("online", () => this.#isCutOff && void this.play());
  }

  #load(position: number): void {
    const wasPlaying = this.isPlaying;
    const went = this.#place.goTo(position);
    if (went === "there") this.#loaded();
    if (went !== "opened") return;
    this.#audio.playbackRate = this.#audio.defaultPlaybackRate = this.rate;
    if (wasPlaying) void this.play();
  }

  #loaded(): void {
    this.#place.arrive();
    this.problem = this.#cannot;
    this.#audio.playbackRate = this.rate;
    this.#tellPosition();
  }

  #begun(): void {
    this.#only.begin();
    this.#tellPosition();
  }

  #wait(isWaiting: boolean): void {
    this.isWaiting = isWaiting;
    this.#changed();
  }

  #goneOn(): void {
    if (!this.book || this.#place.isUnderWay) return;
    this.#place.goOn();
    if (this.isPlaying) this.#keeper.playing(this.#report());
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
    if (!this.book) return;
    const next = this.#place.nextStart;
    if (next !== undefined) {
      this.#load(next);
      return void this.play();
    }
    this.#isFinished = true;
    void this.#keeper.save({ ...this.#report(), position: this.book.timeline.duration, completed: true });
    this.#changed();
  }

  /** The next attempt to play opens the file again, at the same position; a lost connection that is back is one. */
  #fail(): void {
    this.#isCutOff ||= this.isPlaying;
    this.#place.lose();
    // An element that failed goes on to say that it plays.
    this.#audio.pause();
    this.problem ??= t("player.theRecordingCouldNot");
    this.#changed();
  }

  #report() {
    const { info, timeline } = this.book!;
    return { issueId: info.id, position: this.position, duration: timeline.duration };
  }

  #save(how: { readonly mayGoBack?: boolean } = {}): void {
    if (this.book) void this.#keeper.save({ ...this.#report(), ...how });
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
