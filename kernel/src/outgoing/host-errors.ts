import { UpstreamFailure } from "@longbox/sdk";

/** The host is left alone for a while. */
export class HostResting extends UpstreamFailure {
  constructor(host: string, rest: { readonly reason: string; readonly leftMs: number }) {
    const retryAfterSeconds = Math.max(1, Math.ceil(rest.leftMs / 1000));
    super(
      "kernel/host-resting",
      `${host} is left alone for ${retryAfterSeconds} seconds: ${rest.reason}`,
      { host },
      { retryAfterSeconds },
    );
  }
}

/** So many requests were made that the host would refuse more. */
export class HostBudgetSpent extends UpstreamFailure {
  constructor(host: string, retryAfterSeconds: number) {
    super(
      "kernel/host-budget-spent",
      `${host} allows no more requests for ${retryAfterSeconds} seconds.`,
      { host },
      { retryAfterSeconds },
    );
  }
}
