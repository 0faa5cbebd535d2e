import { createHook } from "node:async_hooks";
import { syncBuiltinESMExports } from "node:module";
import { currentOwner, whoRuns } from "./attribution.js";

type Callable = (this: unknown, ...parameters: unknown[]) => unknown;
type Holder = Record<string, unknown>;

/**
 * Makes Node's calls that keep the thread until they are done say on whose behalf they do. What is stuck in one of them
 * cannot be asked any more: no debugger reaches code that is outside of JavaScript.
 */
export function noteBlockingCalls(): void {
  const builtin = (name: string) => process.getBuiltinModule(name as "node:fs") as unknown as Holder;
  for (const name of ["node:child_process", "node:fs", "node:crypto", "node:zlib"]) noteAll(builtin(name), Object.keys(builtin(name)).filter((key) => key.endsWith("Sync")));
  const { DatabaseSync, StatementSync } = builtin("node:sqlite") as { DatabaseSync: { prototype: Holder }; StatementSync: { prototype: Holder } };
  noteAll(DatabaseSync.prototype, ["exec"]);
  noteAll(StatementSync.prototype, ["all", "get", "run"]);
  noteAll(Atomics as unknown as Holder, ["wait"]);
  // Named imports of these modules are copies.
  syncBuiltinESMExports();
}

function noteAll(holder: Holder, names: readonly string[]): void {
  for (const name of names) {
    const original = holder[name];
    if (typeof original !== "function" || original.prototype !== undefined && Object.keys(original.prototype as object).length > 0) continue;
    Object.defineProperty(holder, name, { ...Object.getOwnPropertyDescriptor(holder, name), value: noting(original as Callable) });
  }
}

function noting(original: Callable): Callable {
  const noted: Callable = function (...parameters) {
    const before = whoRuns.enter(currentOwner()?.id);
    try {
      return Reflect.apply(original, this, parameters);
    } finally {
      whoRuns.leave(before);
    }
  };
  // Such as `realpathSync.native`, and the name and length that people may look at.
  Object.defineProperties(noted, Object.getOwnPropertyDescriptors(original));
  return noted;
}

/**
 * Makes all code say on whose behalf it runs, also what goes on after it has waited. That costs time at every promise, so
 * it is for a kernel whose predecessor got stuck nobody knows where, and for a while.
 */
export function noteEverything(forMs: number): void {
  const hook = createHook({
    before: () => void whoRuns.enter(currentOwner()?.id),
    after: () => whoRuns.leave(0),
  });
  hook.enable();
  setTimeout(() => hook.disable(), forMs).unref();
}
