import type { Releasable } from "@longbox/sdk";
import type { ReactiveController, ReactiveControllerHost } from "lit";

/** A value that can be observed. */
export class Observable<T> {
  #value: T;
  readonly #listeners = new Set<(value: T) => void>();

  constructor(value: T) {
    this.#value = value;
  }

  get value(): T {
    return this.#value;
  }

  set(value: T): void {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    for (const listener of [...this.#listeners]) listener(value);
  }

  subscribe(listener: (value: T) => void): Releasable {
    this.#listeners.add(listener);
    return { release: () => void this.#listeners.delete(listener) };
  }
}

/** Updates its host whenever one of the values changes, for as long as the host is in the document. */
export class Watch implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  readonly #watched: () => readonly Observable<any>[];
  #held: Releasable[] = [];

  constructor(host: ReactiveControllerHost, watched: () => readonly Observable<any>[]) {
    this.#host = host;
    this.#watched = watched;
    host.addController(this);
  }

  hostConnected(): void {
    this.#held = this.#watched().map((observable) => observable.subscribe(() => this.#host.requestUpdate()));
  }

  hostDisconnected(): void {
    for (const held of this.#held) void held.release();
    this.#held = [];
  }
}
