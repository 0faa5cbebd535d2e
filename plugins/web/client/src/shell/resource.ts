import type { Releasable } from "@longbox/sdk";
import type { ReactiveController, ReactiveControllerHost } from "lit";
import { messageOf } from "./api.js";
import type { Shell } from "./shell.js";

interface Host extends ReactiveControllerHost {
  longbox: Shell;
}

export interface ResourceOptions<T> {
  /** What to fetch now; another text fetches anew, undefined fetches nothing. */
  path: () => string | undefined;
  /** Domains of change after which it is fetched again; what was there stays until the new is. */
  domains?: readonly string[];
  arrived?: (value: T) => void;
}

/** Something on the server that an element shows: fetched when needed, and again when it changed. */
export class Resource<T> implements ReactiveController {
  value: T | undefined;
  error: unknown;
  readonly #host: Host;
  readonly #options: ResourceOptions<T>;
  #path: string | undefined;
  #abort: AbortController | undefined;
  #fetching: string | undefined;
  #again = false;
  #held: Releasable[] = [];

  constructor(host: Host, options: ResourceOptions<T>) {
    this.#host = host;
    this.#options = options;
    host.addController(this);
  }

  get message(): string | undefined {
    return this.error === undefined ? undefined : messageOf(this.error);
  }

  hostConnected(): void {
    this.#held = (this.#options.domains ?? []).map((domain) => this.#host.longbox.onChanged(domain, () => this.refresh()));
    // What failed because a plugin was off may work again now.
    this.#held.push(this.#host.longbox.onChanged("plugins", () => this.error !== undefined && this.refresh()));
  }

  hostUpdate(): void {
    const path = this.#options.path();
    if (path === this.#path) return;
    this.#path = path;
    this.value = undefined;
    this.error = undefined;
    this.refresh();
  }

  hostDisconnected(): void {
    for (const held of this.#held) void held.release();
    this.#held = [];
    this.#stop();
    this.#path = undefined;
  }

  /** Fetches again; while an answer is under way, once more after it, so that a stream of changes never starves the page. */
  refresh(): void {
    if (this.#abort && this.#fetching === this.#path) this.#again = true;
    else void this.#fetch();
  }

  /** Shows what the server just said in answer to a change. */
  put(value: T): void {
    this.#stop();
    this.value = value;
    this.error = undefined;
    this.#host.requestUpdate();
  }

  #stop(): void {
    this.#abort?.abort();
    this.#abort = undefined;
    this.#again = false;
  }

  async #fetch(): Promise<void> {
    this.#stop();
    const path = this.#path;
    if (path === undefined) return;
    const abort = new AbortController();
    this.#abort = abort;
    this.#fetching = path;
    try {
      const value = await this.#host.longbox.api<T>(path, { signal: abort.signal });
      if (abort.signal.aborted) return;
      this.value = value;
      this.error = undefined;
      this.#options.arrived?.(value);
    } catch (thrown) {
      if (abort.signal.aborted) return;
      this.error = thrown;
    }
    const again = this.#again;
    this.#stop();
    this.#host.requestUpdate();
    if (again) void this.#fetch();
  }
}
