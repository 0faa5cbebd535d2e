import { readStored, writeStored } from "./chrome/device-profile.js";
import type { Reading } from "./reading.js";

const shownMs = 2200;
const zonesMs = 3000;
const zonesKnown = "longbox.reader.zones";

/** What the reader says in passing: one thing at a time, and the newest replaces what was said before. */
export class Hints {
  readonly #changed: () => void;
  #text = "";
  #zones = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(changed: () => void) {
    this.#changed = changed;
  }

  get text(): string {
    return this.#text;
  }

  /** Whether the areas that are tapped are shown. */
  get zones(): boolean {
    return this.#zones;
  }

  say(text: string): void {
    this.#show({ text, zones: false }, shownMs);
  }

  showZones(): void {
    this.#show({ text: "", zones: true }, zonesMs);
  }

  /** The first time on a device that is touched, the areas are shown. */
  opened(reading: Reading): void {
    if (!matchMedia("(pointer: coarse)").matches || readStored(zonesKnown) === true) return;
    if (reading.choices.taps === "none") return;
    writeStored(zonesKnown, true);
    this.showZones();
  }

  release(): void {
    clearTimeout(this.#timer);
  }

  #show(hint: { text: string; zones: boolean }, ms: number): void {
    clearTimeout(this.#timer);
    this.#text = hint.text;
    this.#zones = hint.zones;
    this.#timer = setTimeout(() => this.#show({ text: "", zones: false }, ms), ms);
    if (!hint.text && !hint.zones) clearTimeout(this.#timer);
    this.#changed();
  }
}
