import type { Releasable } from "@longbox/sdk";

/** The stream of changes, as the plugin host and the kernel's own parts use it. */
export interface Announcing {
  /**
   * Says that a domain should be fetched again. Unknown domains are refused: `kernel/undeclared-domain`.
   * @param userIds - Whom the change concerns; all users who may hear the domain when left out
   */
  changed(domain: string, userIds?: readonly number[]): void;
  /** Makes domains known, and who may hear each. A domain may be declared by several plugins with the same access. */
  declare(owner: string, domains: ReadonlyArray<{ readonly domain: string; readonly access: string }>): Releasable;
}
