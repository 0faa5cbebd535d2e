import { syncBuiltinESMExports } from "node:module";

/**
 * What a thread and the one that ends it share: whether it is to end, and how many calls of zlib run in it and in the
 * threads that it started.
 */
export type ZlibCalls = Int32Array<SharedArrayBuffer>;

type Callable = (this: unknown, ...parameters: unknown[]) => unknown;

const isEnding = 0;
const running = 1;
/** A call that takes longer has made its object. */
const longestMs = 200;
/** These make no object. */
const harmless = new Set(["crc32"]);

export const newZlibCalls = (): ZlibCalls => new Int32Array(new SharedArrayBuffer(8));

/**
 * Counts this thread's calls of zlib, and lets none begin once it is to end.
 *
 * Node makes an object of zlib in two steps. A thread that is terminated between them aborts the whole process when it
 * is cleaned up ("close before init", seen in Node 24.21).
 * @param shared - the thread's own, and those of the threads that it ends with
 */
export function countZlibCalls(shared: readonly ZlibCalls[]): void {
  // The functions are replaced by name, which no type of the module allows.
  const holder = process.getBuiltinModule("node:zlib") as unknown as Record<string, unknown>;
  for (const [name, original] of Object.entries(holder))
    if (typeof original === "function" && !harmless.has(name))
      Object.defineProperty(holder, name, {
        ...Object.getOwnPropertyDescriptor(holder, name),
        value: counting(original as Callable, shared),
      });
  // Named imports of the module are copies.
  syncBuiltinESMExports();
}

/** Lets no further call of zlib begin. Resolves when the thread can be terminated: it makes no object of zlib now. */
export async function stopZlibCalls(calls: ZlibCalls): Promise<void> {
  Atomics.store(calls, isEnding, 1);
  const until = performance.now() + longestMs;
  for (;;) {
    const [count, left] = [Atomics.load(calls, running), until - performance.now()];
    if (count === 0 || left <= 0) return;
    await Atomics.waitAsync(calls, running, count, left).value;
  }
}

/** A class stays a class; making an object of it counts as a call. */
function counting(original: Callable, shared: readonly ZlibCalls[]): Callable {
  return new Proxy(original, {
    apply: (target, self, parameters) => counted(shared, () => Reflect.apply(target, self, parameters)),
    construct: (target, parameters, made) =>
      counted(shared, () => Reflect.construct(target, parameters, made) as object),
  });
}

function counted<T>(shared: readonly ZlibCalls[], call: () => T): T {
  for (const calls of shared) Atomics.add(calls, running, 1);
  try {
    if (!shared.some((calls) => Atomics.load(calls, isEnding) === 1)) return call();
  } finally {
    for (const calls of shared) leave(calls);
  }
  return untilTerminated();
}

function leave(calls: ZlibCalls): void {
  Atomics.sub(calls, running, 1);
  if (Atomics.load(calls, isEnding) === 1) Atomics.notify(calls, running);
}

function untilTerminated(): never {
  for (;;) Atomics.wait(newZlibCalls(), isEnding, 0);
}
