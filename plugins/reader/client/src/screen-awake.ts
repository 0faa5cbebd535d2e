/** Keeps the screen on while reading, where the browser allows it. */
export class ScreenAwake {
  #lock: Promise<WakeLockSentinel | undefined> | undefined;

  constructor() {
    document.addEventListener("visibilitychange", this.#hold);
    this.#hold();
  }

  release(): void {
    document.removeEventListener("visibilitychange", this.#hold);
    void this.#lock?.then((lock) => lock?.release());
  }

  /** The browser releases the lock whenever the window is hidden. */
  readonly #hold = (): void => {
    if (document.visibilityState !== "visible" || !("wakeLock" in navigator)) return;
    // Refused without a secure connection, or to save battery. The screen then turns off as usual.
    this.#lock = navigator.wakeLock.request("screen").catch(() => undefined);
  };
}
