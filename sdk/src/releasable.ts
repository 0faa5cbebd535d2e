/** A resource that can be released. Releasing it twice does nothing. */
export interface Releasable {
  release(): void | Promise<void>;
}

/** Makes a {@link Releasable} whose work is done at most once. */
export function releasable(release: () => void | Promise<void>): Releasable {
  let released = false;
  return {
    release() {
      if (released) return;
      released = true;
      return release();
    },
  };
}
