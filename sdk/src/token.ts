declare const typeOf: unique symbol;

/**
 * Identifies a contract between plugins: an id, a version (semver) and a type.
 *
 * Tokens are compared by id, never by object, so two copies of the package that declares one mean the same contract.
 */
export interface Contract<T> {
  readonly kind: "contract";
  readonly id: string;
  readonly version: string;
  readonly [typeOf]?: T;
}

/** Identifies an extension point: an id, a version (semver) and the type of the contributions. */
export interface ExtensionPoint<T> {
  readonly kind: "extension-point";
  readonly id: string;
  readonly version: string;
  readonly [typeOf]?: T;
}

/**
 * Declares a contract.
 *
 * Every method of `T` returns a promise, except subscriptions: a method whose name starts with `on` takes a listener
 * and returns a `Releasable` at once. The kernel hands consumers a revocable stand-in: while the provider is gone,
 * calls are refused with {@link CapabilityGone} and subscriptions wait; both work again once it is back.
 */
export function contract<T extends object>(id: string, version: string): Contract<T> {
  return { kind: "contract", id, version };
}

/** Declares an extension point. Contributions are objects whose methods return promises. */
export function extensionPoint<T extends object>(id: string, version: string): ExtensionPoint<T> {
  return { kind: "extension-point", id, version };
}

/** The implementation type of a contract token. */
export type Provided<C> = C extends Contract<infer T> ? T : never;
