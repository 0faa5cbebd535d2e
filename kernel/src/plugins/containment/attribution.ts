import { AsyncLocalStorage } from "node:async_hooks";
import { WhoRuns } from "./who-runs.js";

/** Whose code runs: everything that is started from it, however late, is known to be the same plugin's. */
export interface Attributed {
  readonly id: string;
}

const running = new AsyncLocalStorage<Attributed | undefined>();

/** The same for another thread, as far as it is certain: until the work returns, not what goes on after it has waited. */
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
