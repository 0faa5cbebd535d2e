/** What one statement gave. */
export interface EngineResult {
  readonly rows: unknown[];
  readonly changes?: bigint;
  readonly insertId?: bigint;
}

/** One open database of a driver. It runs one statement at a time, at once, on the calling thread. */
export interface Engine {
  run(sql: string, parameters: readonly unknown[]): EngineResult;
  iterate(sql: string, parameters: readonly unknown[]): Iterable<unknown>;
  /** Whether a transaction is open; a full disk may have ended it behind our back. */
  readonly inTransaction: boolean;
  close(): void;
}

/** An engine that runs in another process, where a statement can be ended. */
export interface RemoteEngine {
  run(sql: string, parameters: readonly unknown[]): Promise<EngineResult>;
  /** Ends what it is doing, which fails with this fault, and rolls back what was begun. */
  end(fault: unknown): void;
  readonly inTransaction: boolean;
}
