import type { Releasable } from "../releasable.js";
import { contract } from "../token.js";
import type { Viewer } from "../viewer.js";

/** What plugins may know of an account. */
export interface UserSummary {
  readonly id: number;
  readonly username: string;
  readonly role: string;
  /** False while the account is disabled: it can neither sign in nor act. */
  readonly active: boolean;
}

/**
 * The accounts of the server. Id 0 is the local admin, who exists only until the first account is made.
 *
 * Store the id of a user, never a permission: what a user may do can change between the request and the work.
 */
export interface KernelUsers {
  find(userId: number): Promise<UserSummary | undefined>;
  /** Those of these accounts that exist, each once, ordered by id. */
  findAll(userIds: readonly number[]): Promise<readonly UserSummary[]>;
  /** The active accounts whose role grants a permission now, ordered by id. */
  listWithPermission(permission: string): Promise<readonly UserSummary[]>;
  /**
   * The viewer that stands for an account in background work; undefined once the account is deleted or disabled.
   *
   * The viewer follows the account for as long as it is held: a change of role or of the hide-mature preference, disabling
   * and deletion count at once, and a disabled or deleted account may do nothing. Hold it for one piece of work, and ask
   * again for the next, to notice that the account has gone.
   */
  viewerOf(userId: number): Promise<Viewer | undefined>;
  /** Hears which accounts were added, changed, disabled or deleted, or had the permissions of their role changed. */
  onChanged(listener: (userIds: readonly number[]) => void): Releasable;
}

/** Provided by the kernel itself: always there. */
export const KernelUsers = contract<KernelUsers>("kernel.users", "1.0.0");
