import { CapabilityGone, releasable, type Releasable } from "@longbox/sdk";

/** What a stand-in asks of the keeper of the real object. */
export interface StandInTarget {
  /** Calls a method of the present provider. Rejects with {@link CapabilityGone} where there is none. */
  call(method: string, parameters: readonly unknown[]): Promise<unknown>;
  /** Subscribes at the present provider and at every later one. */
  subscribe(method: string, parameters: readonly unknown[]): Releasable;
}

const subscription = /^on[A-Z]/;
/** Properties that the language itself looks up on objects, and must not find. */
const absent: ReadonlySet<unknown> = new Set(["then", "toJSON", "constructor"]);

/**
 * An object that looks like the contract and can be revoked. Symbols, `then` and `toJSON` are absent, so it can be
 * awaited and printed.
 */
export function makeStandIn(capability: string, target: StandInTarget): object {
  const methods = new Map<string, unknown>();
  const make = (name: string) =>
    subscription.test(name)
      ? (...parameters: unknown[]) => target.subscribe(name, parameters)
      : (...parameters: unknown[]) => target.call(name, parameters);
  return new Proxy(Object.create(null) as object, {
    get(_, name) {
      if (typeof name === "symbol" || absent.has(name)) return undefined;
      let method = methods.get(name);
      if (method === undefined) methods.set(name, (method = make(name)));
      return method;
    },
    has: (_, name) => typeof name === "string" && !absent.has(name),
    set() {
      throw new TypeError(`The capability "${capability}" cannot be changed by those who use it.`);
    },
  });
}

/** A target that can no longer be reached: that of a consumer which has stopped. */
export function closableTarget(
  capability: string,
  inner: StandInTarget,
  refused: () => void,
): StandInTarget & Releasable {
  let closed = false;
  const refusal = () => {
    refused();
    return new CapabilityGone(capability);
  };
  const subscriptions = new Set<Releasable>();
  return {
    call: (method, parameters) => (closed ? Promise.reject(refusal()) : inner.call(method, parameters)),
    subscribe(method, parameters) {
      if (closed) throw refusal();
      const made = inner.subscribe(method, parameters);
      const tracked = releasable(() => {
        subscriptions.delete(tracked);
        return made.release();
      });
      subscriptions.add(tracked);
      return tracked;
    },
    async release() {
      closed = true;
      for (const made of [...subscriptions]) await made.release();
    },
  };
}
