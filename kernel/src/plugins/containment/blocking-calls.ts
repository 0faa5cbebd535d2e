import { createHook } from "node:async_hooks";
import { syncBuiltinESMExports } from "node:module";
import { currentOwner, whoRuns } from "./attribution.js";

type Callable = (this: unknown, ...parameters: unknown[]) => unknown;
type Holder = Record<string, unknown>;

/** Called with a plugin before it makes a blocking call, and with none after the call. */
export type TellBlocking = (id: string | undefined) => void;

/** Calls that are always short, or made on behalf of others, such as writing the log. */
const innocent = new Set(["randomFillSync", "writeSync", "existsSync"]);

/**
 * Makes the blocking calls of Node report which plugin makes them. Code that hangs in one of them
 * cannot be inspected afterwards: no debugger reaches code outside of JavaScript.
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
    // Some functions exist only on some systems.
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
    // The outermost call has been reported already.
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
  // Properties such as `realpathSync.native`, `name` and `length`.
  Object.defineProperties(noted, Object.getOwnPropertyDescriptors(original));
  return noted;
}

/**
 * Makes all code record which plugin it runs for, also after it has awaited something. That costs time at every
 * promise, so it is only enabled for a limited time, after a hang at an unknown place.
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
