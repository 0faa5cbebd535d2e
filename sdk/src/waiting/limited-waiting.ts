/** A limit for {@link within}: how long, what is thrown then, and a signal that ends the wait before. */
export interface WaitLimit {
  readonly limitMs: number;
  readonly failure: () => Error;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Waits for work no longer than a limit. The work itself goes on; what becomes of it later is ignored.
 * @throws what `failure` makes, the signal's reason, or what the work throws
 */
export async function within<T>(work: PromiseLike<T>, { limitMs, failure, signal }: WaitLimit): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(failure()), limitMs);
  const giveUp = () => reject(signal?.reason);
  if (signal?.aborted) giveUp();
  else signal?.addEventListener("abort", giveUp, { once: true });
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", giveUp);
  }
}

/** Lets time pass. @throws the signal's reason when it aborts first */
export async function pause(durationMs: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  if (durationMs <= 0) return;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, durationMs);
  const stop = () => reject(signal?.reason);
  signal?.addEventListener("abort", stop, { once: true });
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", stop);
  }
}
