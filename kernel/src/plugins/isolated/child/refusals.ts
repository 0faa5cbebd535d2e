import { LongboxError } from "@longbox/sdk";

/** The plugin does something that only works in the server's own process. */
export class CannotIsolate extends LongboxError {
  constructor(problem: string) {
    super("internal", "kernel/cannot-isolate", `The plugin cannot run isolated: ${problem}`, { problem });
  }
}

/** The plugin could run isolated on a server that keeps its tables in another engine. */
export class EngineNotIsolated extends LongboxError {
  constructor(problem: string) {
    super("internal", "kernel/engine-not-isolated", `The plugin cannot run isolated on this server: ${problem}`, {
      problem,
    });
  }
}
