import { AsyncLocalStorage } from "node:async_hooks";
import { secretCleaner } from "../settings/masking.js";

interface PresentSecrets {
  readonly secrets: readonly string[];
  clean: ((value: unknown) => unknown) | undefined;
}

/** The secrets of the request on whose behalf something runs. */
const present = new AsyncLocalStorage<PresentSecrets>();

/** Runs what belongs to a request whose secrets no log may show. */
export function withRequestSecrets<T>(secrets: readonly string[], work: () => T): T {
  return secrets.length === 0 ? work() : present.run({ secrets, clean: undefined }, work);
}

/** A JSON value without the secrets of the present request. */
export function withoutRequestSecrets(value: unknown): unknown {
  const store = present.getStore();
  if (store === undefined) return value;
  store.clean ??= secretCleaner(store.secrets);
  return store.clean(value);
}

/** Takes the secrets of the present request out of an error's texts, wherever it is kept or logged later. */
export function hideRequestSecrets(thrown: unknown): void {
  if (present.getStore() === undefined) return;
  for (let error = thrown, depth = 0; error instanceof Error && depth < 5; error = error.cause, depth += 1) {
    const { message, stack } = error;
    // A frozen error keeps its texts; the log cleans them on its own.
    Reflect.set(error, "message", withoutRequestSecrets(message));
    if (stack !== undefined) Reflect.set(error, "stack", withoutRequestSecrets(stack));
  }
}
