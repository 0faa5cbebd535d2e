import type { Releasable } from "@longbox/sdk";

export type Ownable = Releasable | Disposable | AsyncDisposable;

/** What one run of a plugin holds and is released at its end, newest first. */
export class OwnedThings {
  readonly #things = new Set<Ownable>();

  add<T extends Ownable>(thing: T): T {
    this.#things.add(thing);
    return thing;
  }

  /**
   * Makes a handle of the kernel's forgotten once it has been released: a plugin that starts and ends worker threads
   * for years does not leave what each of them was.
   */
  forgetting<T extends Releasable>(handle: T): T {
    const release = handle.release.bind(handle);
    const forget = () => this.forget(handle);
    handle.release = () => {
      const releasing = release();
      if (releasing) return releasing.finally(forget);
      forget();
    };
    return handle;
  }

  forget(thing: Ownable): void {
    this.#things.delete(thing);
  }

  /** @param released - Releases one thing; it must not throw */
  async releaseAll(released: (thing: Ownable) => Promise<void>): Promise<void> {
    // What is released may release others itself.
    for (const thing of [...this.#things].reverse()) if (this.#things.delete(thing)) await released(thing);
  }
}

/** Releases a thing in the way that it knows. */
export function endThing(thing: Ownable): void | PromiseLike<void> {
  if ("release" in thing) return thing.release();
  return Symbol.asyncDispose in thing ? thing[Symbol.asyncDispose]() : thing[Symbol.dispose]();
}
