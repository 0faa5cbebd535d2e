import { createHmac, randomBytes } from "node:crypto";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { network } from "./network.js";
import { tooManyAttempts, usualLimits, ThrottleLimits } from "./throttle-limits.js";
import { injectOptional, injectable } from "../../injection.js";

const buckets = 16_384;

/**
 * Slows down making accounts and signing in elsewhere, by address. Addresses fall into a fixed number of buckets, keyed
 * with a secret of this process, so that an attacker can neither fill the memory nor aim at the bucket of another.
 */
@injectable()
export class Throttle {
  readonly #secret = randomBytes(16);
  readonly #registrations: RateLimiterMemory;
  readonly #outside: RateLimiterMemory;

  constructor(@injectOptional(ThrottleLimits) given: Partial<ThrottleLimits> = {}) {
    const limits = { ...usualLimits, ...given };
    this.#registrations = new RateLimiterMemory({ points: limits.registrations, duration: limits.registrationSeconds });
    this.#outside = new RateLimiterMemory({ points: limits.outsideSignIns, duration: limits.seconds });
  }

  /**
   * Counts an account that is asked for, whether or not it is made: names that are taken could be found out otherwise.
   * @throws {LongboxError} `kernel/too-many-attempts`
   */
  async registration(address: string): Promise<void> {
    await consume(this.#registrations, this.#bucket(`address ${network(address)}`));
  }

  /**
   * Counts a sign-in elsewhere as it is begun: each is remembered for a while, and the provider may be asked for it.
   * @throws {LongboxError} `kernel/too-many-attempts`
   */
  async outsideSignIn(address: string): Promise<void> {
    await consume(this.#outside, this.#bucket(`address ${network(address)}`));
  }

  #bucket(text: string): string {
    return String(createHmac("sha256", this.#secret).update(text).digest().readUInt32BE(0) % buckets);
  }
}

async function consume(limiter: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (refused) {
    if (!(refused instanceof RateLimiterRes)) throw refused;
    // Only what was let through counts: else those who wait would never be done waiting.
    await limiter.reward(key);
    throw tooManyAttempts(refused.msBeforeNext);
  }
}
