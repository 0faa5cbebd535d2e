import { Observable } from "../shell/observable.js";

/** So long the server may be silent before it counts as away, in milliseconds: proxies and restarts cut streams off. */
const doubtMs = 4_000;

export type Reach = "here" | "no-network" | "no-answer";

/** Whether the server can be reached, by the browser's word and by what became of the stream of events. */
export class Connection {
  readonly reach = new Observable<Reach>(navigator.onLine ? "here" : "no-network");
  #doubt: number | undefined;

  constructor() {
    addEventListener("offline", () => this.reach.set("no-network"));
    addEventListener("online", () => this.reach.set(this.#doubt === undefined ? "here" : "no-answer"));
  }

  /** The server has answered, or nothing is asked of it any more. */
  found(): void {
    window.clearTimeout(this.#doubt);
    this.#doubt = undefined;
    if (navigator.onLine) this.reach.set("here");
  }

  /** The stream broke off. */
  lost(): void {
    this.#doubt ??= window.setTimeout(() => {
      if (this.reach.value === "here") this.reach.set("no-answer");
    }, doubtMs);
  }
}
