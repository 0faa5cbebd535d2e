import { addressOf } from "@longbox/sdk/ui";
import type { Timeline } from "./timeline.js";

/**
 * Which file of a book is open in an audio element, and where in the book that is. Times in seconds of the timeline.
 */
export class PlaceInFiles {
  #timeline: Timeline | undefined;
  #part = -1;
  /** Where the converted sound begins in its file; undefined when files are played as they are. */
  #convertedFrom: number | undefined;
  /** Where to go once the file is open. */
  #pending: number | undefined;
  /** Where the sound was heard last: an element that failed says of some failures that it is at its beginning. */
  #heard = 0;

  constructor(private readonly audio: HTMLAudioElement) {}

  /** Another book. @param isConverted - the server converts its files */
  begin(timeline: Timeline, isConverted: boolean): void {
    this.close();
    this.#timeline = timeline;
    this.#convertedFrom = isConverted ? 0 : undefined;
  }

  close(): void {
    this.#timeline = this.#convertedFrom = this.#pending = undefined;
    this.#part = -1;
    this.audio.removeAttribute("src");
    this.audio.load();
  }

  get position(): number {
    const part = this.#timeline?.parts[this.#part];
    if (!part) return this.#pending ?? 0;
    const { currentTime, error, readyState } = this.audio;
    const now = error === null && readyState > 0 ? part.start + (this.#convertedFrom ?? 0) + currentTime : this.#heard;
    return Math.min(this.#pending ?? now, part.end);
  }

  get isOpen(): boolean {
    return this.#part !== -1;
  }

  /** Its position is not heard yet. */
  get isUnderWay(): boolean {
    return this.#pending !== undefined;
  }

  /** Where the file behind this one begins; undefined in the last. */
  get nextStart(): number | undefined {
    return this.#timeline?.parts[this.#part + 1]?.start;
  }

  /**
   * Goes to a position, and opens the file that holds it where it is not open.
   * @returns `there` when the file was open, `opened` when another one is being loaded, `later` while this one still is
   */
  goTo(position: number): "there" | "opened" | "later" {
    const timeline = this.#timeline!;
    const part = timeline.partAt(position);
    this.#pending = position;
    const isConverted = this.#convertedFrom !== undefined;
    if (part === this.#part && !isConverted) return this.audio.readyState > 0 ? "there" : "later";
    this.#part = part;
    if (isConverted) this.#convertedFrom = position - timeline.parts[part]!.start;
    this.audio.src = addressOf(timeline.addressOf(part, this.#convertedFrom));
    return "opened";
  }

  /** The file is open: the sound goes on at the position that was chosen. */
  arrive(): void {
    const part = this.#timeline?.parts[this.#part];
    // The file was lost before the element said that it was open: the next one that is opened begins there.
    if (!part) return;
    if (this.#pending !== undefined && this.#convertedFrom === undefined)
      this.audio.currentTime = Math.max(0, this.#pending - part.start);
    this.#heard = this.#pending ?? this.#heard;
    this.#pending = undefined;
  }

  /** The sound went on. */
  goOn(): void {
    if (!this.isUnderWay) this.#heard = this.position;
  }

  /** The file could not be loaded: the next attempt opens it again, at the same position. */
  lose(): void {
    [this.#pending, this.#part] = [this.position, -1];
  }
}
