import { isLongboxError, pause } from "@longbox/sdk";

/** How often in a row a question may fail: with the wait that the provider asked for, or without one. */
const mostWaits = { asked: 50, unasked: 6 } as const;
const firstWaitMs = 30_000;
const longestWaitMs = 30 * 60_000;
/** What a provider asks for beyond this is not waited for: the schedule asks again tomorrow. */
const longestAskedMs = 12 * 60 * 60_000;

export interface Patience {
  readonly signal: AbortSignal;
  /** Says until when nothing is asked, and why. */
  readonly waiting: (until: number, reason: string) => void;
}

/**
 * Asks until there is an answer: a provider that says when to come back is waited for, one that merely fails is asked
 * again a few times, with growing pauses. A refused key is not tried again.
 * @throws what the last question failed with
 */
export async function askPatiently<T>(ask: () => Promise<T>, { signal, waiting }: Patience): Promise<T> {
  for (let [asked, unasked] = [0, 0]; ;) {
    signal.throwIfAborted();
    try {
      return await ask();
    } catch (fault) {
      if (signal.aborted || !isPassing(fault)) throw fault;
      const wanted = isLongboxError(fault) ? fault.retryAfterSeconds : undefined;
      if (wanted === undefined) unasked += 1;
      else asked += 1;
      const waitMs = wanted === undefined ? Math.min(firstWaitMs * 2 ** (unasked - 1), longestWaitMs) : wanted * 1000;
      if (asked > mostWaits.asked || unasked > mostWaits.unasked || waitMs > longestAskedMs) throw fault;
      waiting(Date.now() + waitMs, fault instanceof Error ? fault.message : "");
      await pause(waitMs, signal);
    }
  }
}

const isPassing = (fault: unknown): boolean =>
  isLongboxError(fault) && fault.kind === "upstream" && fault.code !== "metadata/key-refused";
