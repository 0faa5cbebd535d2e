import { pause } from "@longbox/sdk";

/** How long a wait takes at most before the setting is read again. */
const stepMs = 250;

/** Lets bytes through at a rate that all downloads share. */
export class ByteRate {
  #freeAt = 0;

  /** @param bytesPerSecond - 0 for any number; asked again and again, so that a change of the setting counts at once */
  constructor(private readonly bytesPerSecond: () => number) {}

  /** How many bytes may be written before `pass` is called, so that none come in a burst. */
  pieceBytes(): number {
    const rate = this.bytesPerSecond();
    return rate <= 0 ? Infinity : Math.max(1024, Math.ceil((rate * stepMs) / 1000));
  }

  /** Waits until so many bytes may have passed. @throws the signal's reason */
  async pass(bytes: number, signal: AbortSignal): Promise<void> {
    const rate = this.bytesPerSecond();
    if (rate <= 0) return;
    this.#freeAt = Math.max(this.#freeAt, Date.now()) + (bytes / rate) * 1000;
    const until = this.#freeAt;
    while (Date.now() < until) {
      await pause(Math.min(stepMs, until - Date.now()), signal);
      if (this.bytesPerSecond() !== rate) {
        this.#freeAt = 0;
        return;
      }
    }
  }
}
