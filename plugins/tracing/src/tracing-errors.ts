import { UpstreamFailure } from "@longbox/sdk";

export class CollectorRefused extends UpstreamFailure {
  constructor(
    readonly status: number,
    /** Seconds after which it may be asked again, if it said so. */
    readonly retryAfter: number | undefined,
  ) {
    super("tracing/collector-refused", `The collector answered with status ${status}.`);
  }
}
