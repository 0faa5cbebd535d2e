import { LongboxError } from "@longbox/sdk";

/** A statement or a transaction of a plugin was ended because it took too much. */
export class StatementEnded extends LongboxError {
  constructor(reason: string) {
    super("internal", "kernel/statement-ended", `A statement of a plugin was ended: ${reason}.`, { reason });
  }
}
