/** The first message to a process that is to be a plugin's worker. */
export interface ProcessStart {
  /** The worker's module, as a path. */
  readonly module: string;
  readonly data: unknown;
  /** How much memory the process may take in all, in bytes. */
  readonly memoryBytes: number;
}

/** The exit code of a process that took more memory than it may. */
export const tooMuchMemoryCode = 77;
