import { createHook } from "node:async_hooks";
import { syncBuiltinESMExports } from "node:module";
import { currentOwner, whoRuns } from "./attribution.js";

type Callable = (this: unknown, ...parameters: unknown[]) => unknown;
type Holder = Record<string, unknown>;

/** Told of a plugin before it makes a call that keeps the thread, and of none when the call is over. */
export type TellBlocking = (id: string | undefined) => void;

/** Short by their nature, or made for others: the log is written for the plugin that logs. */
const innocent = new Set(["randomFillSync", "writeSync", "existsSync"]);

/**
 * Makes Node's calls that keep the thread until they are done tell on whose behalf they do. What is stuck in one of them
 * cannot be asked any more: no debugger reaches code that is outside of JavaScript.
 */
export function noteBlockingCalls(tell: TellBlocking): void {
  for (const name of ["child_process", "fs", "crypto", "zlib"]) {
    // The functions are replaced by name, which no type of the module allows.
    const holder = process.getBuiltinModule(`node:${name}` as "node:fs") as unknown as Holder;
    noteAll(
      holder,
      Object.keys(holder).filter((key) => key.endsWith("Sync") && !innocent.has(key)),
      tell,
    );
  }
  noteAll(Atomics as unknown as Holder, ["wait"], tell);
  // Named imports of these modules are copies.
  syncBuiltinESMExports();
}

function noteAll(holder: Holder, names: readonly string[], tell: TellBlocking): void {
  for (const name of names) {
    const original = holder[name];
    // Some names are there on every system, and their functions on some.
    if (typeof original === "function")
      Object.defineProperty(holder, name, {
        ...Object.getOwnPropertyDescriptor(holder, name),
        value: noting(original as Callable, tell),
      });
  }
}

let told = false;

function noting(original: Callable, tell: TellBlocking): Callable {
  const noted: Callable = function (...parameters) {
    const owner = currentOwner()?.id;
    // The outermost call has told already.
    if (owner === undefined || told) return Reflect.apply(original, this, parameters);
    told = true;
    tell(owner);
    try {
      return Reflect.apply(original, this, parameters);
    } finally {
      tell(undefined);
      told = false;
    }
  };
  // Such as `realpathSync.native`, and the name and length that people may look at.
  Object.defineProperties(noted, Object.getOwnPropertyDescriptors(original));
  return noted;
}

/**
 * Makes all code say on whose behalf it runs, also what goes on after it has waited. That costs time at every promise, so
 * it is for a kernel whose predecessor got stuck at an unknown place, and for a while.
 */
export function noteEverything(forMs: number, toldCause: () => string | undefined): void {
  const hook = createHook({
    before() {
      const owner = currentOwner()?.id;
      whoRuns.enter(owner);
      if (owner !== undefined) whoRuns.because(toldCause());
    },
    after: () => whoRuns.leave(0),
  });
  hook.enable();
  setTimeout(() => hook.disable(), forMs).unref();
}
