import type { Logger, Releasable } from "@longbox/sdk";
import type { Changes } from "../changes.js";

/** A search index that is completed while the plugin serves: until then, a search finds only some of the series. */
export class LateIndex implements Releasable {
  readonly #ended: Promise<void>;

  /** @param completed - settles when it is complete, or was given up */
  constructor(completed: Promise<void>, { changes, log }: { readonly changes: Changes; readonly log: Logger }) {
    log.info("The index of the search is being made. Until it is complete, searches find some of the series only.");
    this.#ended = completed.then(
      () => changes.announceRecount(),
      (fault: unknown) =>
        log.error("The index of the search could not be completed, and is at the next start.", {
          fault: String(fault),
        }),
    );
  }

  /** Waits for what is being written. */
  release(): Promise<void> {
    return this.#ended;
  }
}
