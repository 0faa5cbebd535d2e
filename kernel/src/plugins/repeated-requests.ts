// Requests that a client sends again because it does not know whether the first one arrived: see `Idempotency-Key`.
import { BadInput, Conflict } from "@longbox/sdk";

/** How many keys are remembered, and for how long, in milliseconds; a restart forgets them. */
const most = 1_000;
const rememberedMs = 24 * 60 * 60 * 1_000;
const longest = 200;

interface Made {
  readonly what: string;
  readonly at: number;
  readonly outcome: Promise<unknown>;
}

/** A request with the key that its client made for it. */
export interface KeyedRequest {
  readonly key: string | undefined;
  readonly userId: number;
  /** The route and the body, as text. */
  readonly what: string;
}

/** Carries a request out once for each key of a user, and gives those that repeat it the first outcome. */
export class RepeatedRequests {
  readonly #made = new Map<string, Made>();

  /**
   * @throws {BadInput} `kernel/bad-idempotency-key` when the key is empty or longer than 200 characters
   * @throws {Conflict} `kernel/idempotency-key-reused` when the key belongs to another request
   */
  async once<T>({ key, userId, what }: KeyedRequest, work: () => Promise<T>): Promise<T> {
    if (key === undefined) return work();
    if (key === "" || key.length > longest)
      throw new BadInput("kernel/bad-idempotency-key", `Idempotency-Key has 1 to ${longest} characters.`);
    const name = JSON.stringify([userId, key]);
    const known = this.#recall(name);
    if (known === undefined) return this.#make(name, what, work);
    if (known.what === what) return known.outcome as Promise<T>;
    throw new Conflict(
      "kernel/idempotency-key-reused",
      "This Idempotency-Key was sent with another request before; each request needs its own.",
    );
  }

  #recall(name: string): Made | undefined {
    const known = this.#made.get(name);
    return known !== undefined && known.at > Date.now() - rememberedMs ? known : undefined;
  }

  #make<T>(name: string, what: string, work: () => Promise<T>): Promise<T> {
    const outcome = work();
    this.#made.delete(name);
    this.#made.set(name, { what, at: Date.now(), outcome });
    // The oldest first, as a Map keeps the order in which its keys were set.
    if (this.#made.size > most) this.#made.delete(this.#made.keys().next().value!);
    return outcome;
  }
}
