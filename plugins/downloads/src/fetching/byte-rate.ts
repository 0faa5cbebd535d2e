import { pause } from "@longbox/sdk";

/** Lets bytes through at a rate that all downloads share. */
export class ByteRate {
  #freeAt = 0;

  /** @param bytesPerSecond - 0 for any number; asked for every time, so that a change of the setting counts at once */
  constructor(private readonly bytesPerSecond: () => number) {}

  /** Waits until so many bytes may have passed. @throws the signal's reason */
  async pass(bytes: number, signal: AbortSignal): Promise<void> {
    const rate = this.bytesPerSecond();
    if (rate <= 0) {
      this.#freeAt = 0;
      return;
    }
    const now = Date.now();
    this.#freeAt = Math.max(this.#freeAt, now) + (bytes / rate) * 1000;
    await pause(this.#freeAt - now, signal);
  }
}
