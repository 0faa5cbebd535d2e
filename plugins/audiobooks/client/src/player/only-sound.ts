/** Windows of one browser that play would be heard at once: the one that begins last goes on alone. */
export class OnlySound {
  readonly #channel = new BroadcastChannel("longbox.audiobooks");

  /** @param pause - another window begins to play */
  constructor(pause: () => void) {
    this.#channel.addEventListener("message", pause);
  }

  /** This window begins to play. */
  begin(): void {
    this.#channel.postMessage("begin");
  }
}
