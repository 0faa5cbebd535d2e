/** A signal that follows others until it is let go. */
export interface JoinedSignal {
  readonly signal: AbortSignal;
  /** Stops following. To be called once what the signal was for is over. */
  release(): void;
}

/** The followers of a signal share one listener, which is removed with the last of them. */
const followers = new WeakMap<AbortSignal, Set<AbortController>>();

/**
 * Joins signals: the result aborts with the first of them, for the same reason. `AbortSignal.any` does so too, but what
 * listens to its result is held for as long as the longest of its sources lives, which for a plugin is as long as the
 * server runs.
 *
 * @param sources - Those that are undefined are left out
 */
export function joinSignals(...sources: ReadonlyArray<AbortSignal | undefined>): JoinedSignal {
  const joined = new AbortController();
  const present = sources.filter((source) => source !== undefined);
  const first = present.find((source) => source.aborted);
  if (first) joined.abort(first.reason);
  else for (const source of present) follow(source, joined);
  return {
    signal: joined.signal,
    release() {
      for (const source of present) unfollow(source, joined);
    },
  };
}

function follow(source: AbortSignal, follower: AbortController): void {
  const present = followers.get(source);
  if (present) return void present.add(follower);
  followers.set(source, new Set([follower]));
  source.addEventListener("abort", tellFollowers, { once: true });
}

function unfollow(source: AbortSignal, follower: AbortController): void {
  const present = followers.get(source);
  if (!present?.delete(follower) || present.size > 0) return;
  followers.delete(source);
  source.removeEventListener("abort", tellFollowers);
}

function tellFollowers(this: AbortSignal): void {
  const told = followers.get(this) ?? [];
  followers.delete(this);
  for (const follower of told) follower.abort(this.reason);
}
