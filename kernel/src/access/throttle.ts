import { createHmac, randomBytes } from "node:crypto";
import { isIPv6 } from "node:net";
import { LongboxError } from "@longbox/sdk";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";

export interface ThrottleLimits {
  /** Failed attempts for one name, and from one address, within `seconds`. */
  readonly perName: number;
  readonly perAddress: number;
  readonly seconds: number;
  /** Accounts that one address may ask for within `registrationSeconds`. */
  readonly registrations: number;
  readonly registrationSeconds: number;
  /** Sign-ins elsewhere that one address may begin within `seconds`. */
  readonly outsideSignIns: number;
}

const usualLimits: ThrottleLimits = { perName: 10, perAddress: 40, seconds: 300, registrations: 10, registrationSeconds: 3600, outsideSignIns: 40 };

const buckets = 16_384;

/**
 * Slows down guessing, by name and by address, and making accounts and signing in elsewhere, by address. Names and addresses fall into a fixed number of buckets, keyed with a
 * secret of this process, so that an attacker can neither fill the memory nor aim at somebody else's bucket.
 */
export class Throttle {
  readonly #secret = randomBytes(16);
  readonly #names: RateLimiterMemory;
  readonly #addresses: RateLimiterMemory;
  readonly #registrations: RateLimiterMemory;
  readonly #outside: RateLimiterMemory;

  constructor(given: Partial<ThrottleLimits> = {}) {
    const limits = { ...usualLimits, ...given };
    this.#names = new RateLimiterMemory({ points: limits.perName, duration: limits.seconds });
    this.#addresses = new RateLimiterMemory({ points: limits.perAddress, duration: limits.seconds });
    this.#registrations = new RateLimiterMemory({ points: limits.registrations, duration: limits.registrationSeconds });
    this.#outside = new RateLimiterMemory({ points: limits.outsideSignIns, duration: limits.seconds });
  }

  /**
   * Counts an attempt before it is made, so that attempts at once count too.
   * @throws {LongboxError} `kernel/too-many-attempts`, with the time to wait
   */
  async attempt(name: string, address: string): Promise<{ succeeded(): Promise<void> }> {
    const nameKey = this.#bucket(`name ${name}`);
    const addressKey = this.#bucket(`address ${network(address)}`);
    await consume(this.#addresses, addressKey);
    await consume(this.#names, nameKey).catch(async (refused: unknown) => {
      // Nothing was tried, so the others at this address need not wait for it.
      await this.#addresses.reward(addressKey);
      throw refused;
    });
    return {
      succeeded: async () => {
        await this.#names.delete(nameKey);
        await this.#addresses.reward(addressKey);
      },
    };
  }

  /**
   * Counts an account that somebody asks for, whether or not he gets it: names that are taken could be found out otherwise.
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
    const retryAfterSeconds = Math.max(1, Math.ceil(refused.msBeforeNext / 1000));
    throw new LongboxError("too-many-requests", "kernel/too-many-attempts", `Too many attempts; try again in ${retryAfterSeconds} seconds.`, undefined, { retryAfterSeconds });
  }
}

/** One household has one IPv4 address, but a whole /64 of IPv6. */
function network(address: string): string {
  if (!isIPv6(address)) return address;
  const [before = "", after] = address.replace(/%.*$/, "").split("::");
  const first = before === "" ? [] : before.split(":");
  // What `::` leaves out are zeros: as many groups as it takes to make eight; an IPv4 ending stands for two.
  const last = after === undefined || after === "" ? [] : after.split(":");
  const missing = after === undefined ? 0 : 8 - first.length - last.length - (after.includes(".") ? 1 : 0);
  const groups = [...first, ...Array<string>(missing).fill("0"), ...last];
  return groups.slice(0, 4).map((group) => Number.parseInt(group, 16).toString(16)).join(":");
}
