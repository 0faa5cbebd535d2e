import { LongboxError } from "@longbox/sdk";

/** What the SQL of an isolated plugin may take up of the server. */
export interface ConfinedLimits {
  /** How long one statement may run. */
  readonly statementMs: number;
  /** How long a transaction may wait for its next statement. */
  readonly idleMs: number;
  /** How long a transaction may last. */
  readonly transactionMs: number;
  /** The most bytes of one result: somewhat more could not cross to another process anyway. */
  readonly resultBytes: number;
  readonly resultRows: number;
}

export const usualConfinedLimits: ConfinedLimits = {
  statementMs: 300_000,
  idleMs: 30_000,
  // A migration may take ten minutes.
  transactionMs: 660_000,
  resultBytes: 72 * 1024 * 1024,
  resultRows: 500_000,
};

/** The SQL of an isolated plugin would reach the tables of others. */
export class EngineNotIsolated extends LongboxError {
  constructor() {
    super(
      "internal",
      "kernel/engine-not-isolated",
      "The plugin cannot run isolated on this server: it has no role of its own in PostgreSQL, so that its SQL could reach the tables of others. Let the role in LONGBOX_DATABASE make roles (alter role … createrole), and restart Longbox.",
    );
  }
}
