import type { EngineCalls, Tell } from "../../protocol.js";
import { word } from "../words.js";

type State = "stopped" | "playing" | "paused";

/** The recording of an EPUB 3 with media overlays; the renderer marks what is being read. */
export class ReadAlong {
  readonly #view: FoliateView;
  readonly #tell: Tell;
  #state: State = "stopped";

  constructor(view: FoliateView, tell: Tell) {
    this.#view = view;
    this.#tell = tell;
    view.mediaOverlay?.addEventListener("error", () => {
      this.#become("stopped");
      tell("failed", { message: word("recordingFails") });
    });
  }

  async run(...[command, rate]: Parameters<EngineCalls["readAlong"]>): Promise<void> {
    const overlay = this.#view.mediaOverlay;
    if (!overlay) return;
    overlay.setRate(rate);
    if (command === "play") await this.#play(overlay);
    if (command === "pause") overlay.pause();
    if (command === "stop") overlay.stop();
    if (command === "next") overlay.next();
    if (command === "previous") overlay.prev();
    if (command === "pause" || command === "stop") this.#become(command === "pause" ? "paused" : "stopped");
  }

  async #play(overlay: FoliateMediaOverlay): Promise<void> {
    if (this.#state === "paused") overlay.resume();
    else await this.#view.startMediaOverlay();
    this.#become("playing");
  }

  #become(state: State): void {
    this.#state = state;
    this.#tell("readAlong", { playing: state === "playing" });
  }
}
