/** Something that is held and can be let go. Releasing it twice does nothing. */
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
