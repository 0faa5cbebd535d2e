/** A signed-in browser. */
export interface Session {
  /** Negative for a session that is not stored. */
  readonly id: number;
  readonly accountId: number;
  readonly seenAt: string;
  readonly expiresAt: string;
}
