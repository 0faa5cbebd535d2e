import { LongboxError } from "@longbox/sdk";

/** The plugin does something that only works in the server's own process. */
export class CannotIsolate extends LongboxError {
  constructor(problem: string) {
    super("internal", "kernel/cannot-isolate", `The plugin cannot run isolated: ${problem}`, { problem });
  }
}
