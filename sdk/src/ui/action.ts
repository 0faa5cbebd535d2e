import type { ReactiveController } from "lit";
import { messageOf } from "./message.js";
import type { ClientHost } from "./resource.js";

export interface ActionOptions {
  /** Says in passing what went wrong, instead of keeping it in `problem`. */
  readonly notify?: boolean;
  /** Done after every attempt, good or not; the attempt lasts until it is done. */
  readonly after?: () => unknown;
}

/**
 * What the buttons of an element do on the server: whether it is being done, and what went wrong.
 *
 * @example
 * readonly #action = new Action(this);
 * html`<button ?disabled=${this.#action.busy} @click=${() => this.#action.run(() => this.post("/api/shelves/tidy"), "Tidied.")}>Tidy</button>
 *   ${problem(this.#action.problem)}`
 */
export class Action implements ReactiveController {
  busy = false;
  /** What the newest attempt failed with, as a sentence; undefined from the next attempt on. */
  problem: string | undefined;
  readonly #host: ClientHost;
  readonly #options: ActionOptions;

  constructor(host: ClientHost, options: ActionOptions = {}) {
    this.#host = host;
    this.#options = options;
    host.addController(this);
  }

  hostConnected(): void {}

  /** Forgets what went wrong. */
  forget(): void {
    this.#show(this.busy, undefined);
  }

  /** Never rejects. @param done - Said in passing when it went well. @returns whether it did */
  async run(work: () => Promise<unknown>, done?: string): Promise<boolean> {
    this.#show(true, undefined);
    const failed = await outcome(work);
    if (failed !== undefined && this.#options.notify) this.#host.longbox.notify(failed, { level: "danger" });
    if (failed === undefined && done !== undefined) this.#host.longbox.notify(done, { level: "success" });
    this.#show(false, failed);
    await this.#options.after?.();
    return failed === undefined;
  }

  #show(busy: boolean, problem: string | undefined): void {
    this.busy = busy;
    this.problem = problem;
    this.#host.requestUpdate();
  }
}

/** Why it failed, as a sentence. Work that throws before it has begun to wait fails as well. */
async function outcome(work: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await work();
    return undefined;
  } catch (thrown) {
    return messageOf(thrown);
  }
}
