import { UpstreamFailure } from "@longbox/sdk";

/** The provider could not be reached, or said something that makes no sense. */
export class ProviderFailure extends UpstreamFailure {
  constructor(message: string, options: { cause?: unknown; retryAfterSeconds?: number | undefined } = {}) {
    const { retryAfterSeconds, cause } = options;
    super("metadata/provider-failed", message, undefined, {
      cause,
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    });
  }
}

/** The provider does not know the key, or there is none. Asking again changes nothing. */
export class KeyRefused extends UpstreamFailure {
  constructor(message: string) {
    super("metadata/key-refused", message);
  }
}

/** So many questions were asked that the provider would refuse more. */
export class BudgetSpent extends UpstreamFailure {
  constructor(retryAfterSeconds: number) {
    super(
      "metadata/budget-spent",
      `The provider allows no more questions for ${retryAfterSeconds} seconds.`,
      undefined,
      { retryAfterSeconds },
    );
  }
}
