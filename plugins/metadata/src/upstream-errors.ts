import { UpstreamFailure } from "@longbox/sdk/light";

/** The provider could not be reached, or its answer was invalid. */
export class ProviderFailure extends UpstreamFailure {
  constructor(message: string, options: { cause?: unknown; retryAfterSeconds?: number | undefined } = {}) {
    const { retryAfterSeconds, cause } = options;
    super("metadata/provider-failed", message, undefined, {
      cause,
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    });
  }
}

/** The provider refused the key, or there is none. A retry is useless. */
export class KeyRefused extends UpstreamFailure {
  constructor(message: string) {
    super("metadata/key-refused", message);
  }
}

/** The request budget of the provider is used up. */
export class BudgetSpent extends UpstreamFailure {
  constructor(retryAfterSeconds: number) {
    super(
      "metadata/budget-spent",
      `The provider allows no more requests for ${retryAfterSeconds} seconds.`,
      undefined,
      { retryAfterSeconds },
    );
  }
}
