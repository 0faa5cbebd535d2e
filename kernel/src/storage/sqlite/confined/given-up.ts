import type { RemoteEngine } from "../engine.js";

/** Lets a statement run until a signal gives it up, which ends it in the engine. @throws the reason of the signal */
export async function givenUpBy<T>(
  signal: AbortSignal | undefined,
  engine: Pick<RemoteEngine, "end">,
  run: () => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  const giveUp = () => engine.end(signal!.reason);
  signal?.addEventListener("abort", giveUp, { once: true });
  try {
    return await run();
  } finally {
    signal?.removeEventListener("abort", giveUp);
  }
}
