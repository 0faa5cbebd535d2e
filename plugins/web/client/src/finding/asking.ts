import type { SearchAnswer } from "@longbox/collection/api";
import type { ReactiveController, ReactiveControllerHost } from "lit";
import type { Shell } from "../shell/shell.js";

/** Shorter than the pause between two keys of most people, so that a word is not asked for letter by letter. */
const quietMs = 90;

interface Asking extends ReactiveControllerHost {
  readonly longbox: Shell;
}

/** Asks the server what was typed, the last text only. What was found stays until the next answer. */
export class Asked implements ReactiveController {
  readonly #host: Asking;
  readonly #limit: number;
  #text = "";
  #timer: number | undefined;
  #request: AbortController | undefined;
  /** Of the last text that was answered. */
  answer: SearchAnswer | undefined;
  error: unknown;
  isWaiting = false;

  constructor(host: Asking, limit: number) {
    this.#host = host;
    this.#limit = limit;
    host.addController(this);
  }

  hostDisconnected(): void {
    this.#stop();
  }

  /** Asks for another text, once nothing more was typed for a moment. */
  type(text: string): void {
    const asked = text.trim();
    if (asked === this.#text && this.error === undefined) return;
    this.#stop();
    this.#text = asked;
    this.isWaiting = asked !== "";
    if (asked === "") [this.answer, this.error] = [undefined, undefined];
    else this.#timer = window.setTimeout(() => void this.#ask(), quietMs);
    this.#host.requestUpdate();
  }

  again(): void {
    this.#stop();
    void this.#ask();
  }

  async #ask(): Promise<void> {
    const request = new AbortController();
    this.#request = request;
    this.isWaiting = true;
    this.#host.requestUpdate();
    const query = new URLSearchParams({ q: this.#text.slice(0, 200), limit: String(this.#limit) });
    try {
      const answer = await this.#host.longbox.api<SearchAnswer>(`/api/search?${query}`, { signal: request.signal });
      if (request.signal.aborted) return;
      [this.answer, this.error] = [answer, undefined];
    } catch (thrown) {
      if (request.signal.aborted) return;
      [this.answer, this.error] = [undefined, thrown];
    }
    this.isWaiting = false;
    this.#host.requestUpdate();
  }

  #stop(): void {
    window.clearTimeout(this.#timer);
    this.#request?.abort();
    this.isWaiting = false;
  }
}
