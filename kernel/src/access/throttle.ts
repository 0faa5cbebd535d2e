import { createHmac, randomBytes } from "node:crypto";
import { isIPv6 } from "node:net";
import { LongboxError } from "@longbox/sdk";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";

export interface ThrottleLimits {
  /** Failed attempts for one name, and from one address, within `seconds`. */
  readonly perName: number;
  readonly perAddress: number;
  readonly seconds: number;
}

const buckets = 16_384;

/**
 * Slows down guessing, by name and by address. Names and addresses fall into a fixed number of buckets, keyed with a
 * secret of this process, so that an attacker can neither fill the memory nor aim at somebody else's bucket.
 */
export class Throttle {
  readonly #secret = randomBytes(16);
  readonly #names: RateLimiterMemory;
  readonly #addresses: RateLimiterMemory;

  constructor(limits: ThrottleLimits = { perName: 10, perAddress: 40, seconds: 300 }) {
    this.#names = new RateLimiterMemory({ points: limits.perName, duration: limits.seconds });
    this.#addresses = new RateLimiterMemory({ points: limits.perAddress, duration: limits.seconds });
  }

  /**
   * Counts an attempt before it is made, so that attempts at once count too.
   * @throws {LongboxError} `kernel/too-many-attempts`, with the time to wait
   */
  async attempt(name: string, address: string): Promise<{ succeeded(): Promise<void> }> {
    const nameKey = this.#bucket(`name ${name}`);
    const addressKey = this.#bucket(`address ${network(address)}`);
    await consume(this.#addresses, addressKey);
    await consume(this.#names, nameKey);
    return {
      succeeded: async () => {
        await this.#names.delete(nameKey);
        await this.#addresses.reward(addressKey);
      },
    };
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
    const retryAfterSeconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
    throw new LongboxError("too-many-requests", "kernel/too-many-attempts", `Too many attempts; try again in ${retryAfterSeconds} seconds.`, undefined, { retryAfterSeconds });
  }
}

/** One household has one IPv4 address, but a whole /64 of IPv6. */
function network(address: string): string {
  return isIPv6(address) ? address.split(":").slice(0, 4).join(":") : address;
}
