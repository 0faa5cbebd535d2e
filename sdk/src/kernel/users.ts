import type { Releasable } from "../releasable.js";
import { contract } from "../token.js";
import type { Viewer } from "../viewer.js";

/** The fields of an account that plugins can read. */
export interface UserSummary {
  readonly id: number;
  readonly username: string;
  readonly role: string;
  /** False while the account is disabled: it can neither sign in nor act. */
  readonly active: boolean;
  /** The tag of the language to write to this person in, such as `de`; undefined while it is not known. */
  readonly language?: string | undefined;
}

/**
 * The accounts of the server. Id 0 is the local admin, who exists only until the first account is made.
 *
 * Store the id of a user, never a permission: what a user may do can change between the request and the work.
 */
export interface KernelUsers {
  find(userId: number): Promise<UserSummary | undefined>;
  /** The existing accounts among these, each once, ordered by id. */
  findAll(userIds: readonly number[]): Promise<readonly UserSummary[]>;
  /** The active accounts whose role grants a permission now, ordered by id. */
  listWithPermission(permission: string): Promise<readonly UserSummary[]>;
  /**
   * The viewer that stands for an account in background work; undefined once the account is deleted or disabled.
   *
   * The viewer follows the account as long as it is held: changes of the role or of the hide-mature preference,
   * disabling and deletion take effect at once, and a disabled or deleted account may do nothing. Hold it for one piece
   * of work, and get a new one for the next, to notice that the account has been deleted.
   */
  viewerOf(userId: number): Promise<Viewer | undefined>;
  /**
   * Stores in which language a person reads, as the interface knows it. Nothing is stored for the local admin.
   * @param language - its tag; undefined when it is not known any more
   * @throws {BadInput} `kernel/bad-language`
   */
  setLanguage(userId: number, language: string | undefined): Promise<void>;
  /**
   * Calls the listener with the accounts that were added, changed, disabled or deleted, or whose role's permissions
   * changed.
   */
  onChanged(listener: (userIds: readonly number[]) => void): Releasable;
}

/** Accounts, and viewers with their current rights. Provided by the kernel itself, so it is always available. */
export const KernelUsers = contract<KernelUsers>("kernel.users", "1.1.0");
