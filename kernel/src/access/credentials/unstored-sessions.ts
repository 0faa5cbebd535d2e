import type { Session } from "./session.js";

/** The maximum number of unstored sessions; the oldest one is dropped. */
const mostKept = 1000;

/** Sessions that could not be stored because the disk is full or cannot be written. They end with the server. */
export class UnstoredSessions {
  readonly #byHash = new Map<string, Session>();
  #lastId = 0;

  get count(): number {
    return this.#byHash.size;
  }

  add(tokenHash: string, session: Omit<Session, "id">): void {
    // Ids of stored sessions are positive.
    this.#byHash.set(tokenHash, { ...session, id: --this.#lastId });
    for (const oldest of this.#byHash.keys()) {
      if (this.#byHash.size <= mostKept) return;
      this.#byHash.delete(oldest);
    }
  }

  find(tokenHash: string): Session | undefined {
    const session = this.#byHash.get(tokenHash);
    return session !== undefined && session.expiresAt > new Date().toISOString() ? session : undefined;
  }

  /** @returns how many were ended */
  endWhere(concerns: (session: Session) => boolean): number {
    const ended = [...this.#byHash].filter(([, session]) => concerns(session));
    for (const [hash] of ended) this.#byHash.delete(hash);
    return ended.length;
  }
}
