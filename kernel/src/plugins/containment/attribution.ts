import { AsyncLocalStorage } from "node:async_hooks";
import { WhoRuns } from "./who-runs.js";

/** Attributes running code to a plugin, including everything that it starts later. */
export interface Attributed {
  readonly id: string;
}

const running = new AsyncLocalStorage<Attributed | undefined>();

/** The same for the watching thread, until the work returns; not for what continues after an `await`. */
export const whoRuns = new WhoRuns();

/** Runs work as the owner's. */
export function runAs<T>(owner: Attributed | undefined, work: () => T): T {
  const before = whoRuns.enter(owner?.id);
  try {
    return running.run(owner, work);
  } finally {
    whoRuns.leave(before);
  }
}

/** The owner on whose behalf the present code runs. */
export function currentOwner(): Attributed | undefined {
  return running.getStore();
}
