/** How long a start may take, and how long requests may go on after the plugin has been switched off. */
export interface RunningLimits {
  readonly activateMs: number;
  /** How long bringing the data to the form of a version may take. */
  readonly migrateMs: number;
  /**
   * How long a plugin waits for others that should come first, but that it does not need, while the event loop is idle.
   */
  readonly patienceMs: number;
  readonly drainMs: number;
  /** How long requests may go on at a version that another has replaced. */
  readonly retireMs: number;
}

export const usualLimits: RunningLimits = {
  activateMs: 30_000,
  migrateMs: 600_000,
  patienceMs: 100,
  drainMs: 2_000,
  retireMs: 300_000,
};
