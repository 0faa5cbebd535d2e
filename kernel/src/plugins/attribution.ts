import { AsyncLocalStorage } from "node:async_hooks";

/** Whose code runs: everything that is started from it, however late, is known to be the same plugin's. */
export interface Attributed {
  readonly id: string;
}

const running = new AsyncLocalStorage<Attributed | undefined>();

/** Runs work as the owner's. */
export function runAs<T>(owner: Attributed | undefined, work: () => T): T {
  return running.run(owner, work);
}

/** The owner on whose behalf the present code runs. */
export function currentOwner(): Attributed | undefined {
  return running.getStore();
}
