import type { ReactiveController } from "lit";
import type { ApiError } from "../client.js";
import { messageOf } from "./message.js";
import type { ClientHost } from "./resource.js";
import { t } from "./language/translate.js";

export interface ActionOptions {
  /** Shows an error as a toast instead of storing it in `problem`. */
  readonly notify?: boolean;
  /** Called after every attempt, successful or not; the attempt lasts until its promise settles. */
  readonly after?: () => unknown;
}

/**
 * The state of an action on the server that a button starts: whether it is running, and its error.
 *
 * @example
 * readonly #action = new Action(this);
 * const tidy = () => this.#action.run(() => this.post("/api/shelves/tidy"), "Tidied.");
 * html`<button ?disabled=${this.#action.busy} @click=${tidy}>Tidy</button>
 *   ${problem(this.#action.problem)}`
 */
export class Action implements ReactiveController {
  busy = false;
  /** The error of the last attempt; undefined from the next attempt on. */
  error: unknown;
  readonly #host: ClientHost;
  readonly #options: ActionOptions;

  constructor(host: ClientHost, options: ActionOptions = {}) {
    this.#host = host;
    this.#options = options;
    host.addController(this);
  }

  /** `error` as a sentence. */
  get problem(): string | undefined {
    return this.error === undefined ? undefined : messageOf(this.error);
  }

  /** What is wrong with one field of the form, when the server said so. */
  problemOf(field: string): string | undefined {
    const details = (this.error as Partial<ApiError> | undefined)?.details;
    const text: unknown = typeof details === "object" && details !== null ? Reflect.get(details, field) : undefined;
    return typeof text === "string" ? text : undefined;
  }

  hostConnected(): void {}

  /** Clears the error. */
  forget(): void {
    this.#show(this.busy, undefined);
  }

  /** Never rejects. @param done - The toast after success. @returns whether it succeeded */
  async run(work: () => Promise<unknown>, done?: string): Promise<boolean> {
    this.#show(true, undefined);
    try {
      await work();
      this.#show(false, undefined);
      if (done !== undefined) this.#host.longbox.notify(done, { level: "success" });
    } catch (thrown) {
      this.#show(false, thrown ?? t(["kit:itFailed", "It failed."]));
      if (this.#options.notify) this.#host.longbox.notify(messageOf(this.error), { level: "danger" });
    }
    const isGood = this.error === undefined;
    await this.#options.after?.();
    return isGood;
  }

  #show(busy: boolean, error: unknown): void {
    this.busy = busy;
    this.error = error;
    this.#host.requestUpdate();
  }
}
