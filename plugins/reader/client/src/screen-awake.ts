/** Keeps the screen from going dark while pages are read, as far as the browser and its battery allow. */
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

  /** The browser lets go whenever the window is hidden. */
  readonly #hold = (): void => {
    if (document.visibilityState !== "visible" || !("wakeLock" in navigator)) return;
    // Refused without a secure connection, and to save the battery: then the screen does as it always does.
    this.#lock = navigator.wakeLock.request("screen").catch(() => undefined);
  };
}
