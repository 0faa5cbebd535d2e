import { setTimeout as wait } from "node:timers/promises";
import { countId, type CountKey, type CountKind, type FailureCount, FailureCounts } from "./failure-counts.js";
import { KnownDevices } from "./known-devices.js";
import { network } from "./network.js";
import { digest } from "./secrets.js";
import { tooManyAttempts, usualLimits, ThrottleLimits } from "./throttle-limits.js";
import { inject, injectOptional, injectable } from "../../injection.js";

/** One authentication attempt. */
export interface SignInAttempt {
  /** The claimed name, normalised for comparison. */
  readonly name: string;
  /** The name is a secret that only its owner knows: guessing it means another name each time. */
  readonly isSecret?: boolean;
  readonly address: string;
  /** The token of the browser, where it was given one at an earlier sign-in. */
  readonly device?: string | undefined;
  /** Where being a known device changes nothing: it is refused like every other. */
  readonly strict?: boolean;
}

/** An attempt that may be made. */
export interface PermittedAttempt {
  /** Removes the attempt after success, and remembers the device. */
  succeeded(): Promise<void>;
}

/** What an attempt counts for: its own count, and those that it shares with others. */
type CountKeys = readonly [own: CountKey, ...shared: CountKey[]];

/** So many attempts of one known device wait at a time. */
const mostWaiting = 3;

/**
 * Throttles password guessing. Failed attempts count for the pair of a name and an address, so that wrong passwords
 * from one address do not lock the account elsewhere; and for addresses and names in all, against guessing many names
 * or from many places. A device from which the name has signed in before is never refused for what others do: it counts
 * alone, and waits after failures.
 */
@injectable()
export class SignInThrottle {
  readonly #limits: ThrottleLimits;
  readonly #waiting = new Map<string, number>();

  constructor(
    @inject(FailureCounts) private readonly counts: FailureCounts,
    @inject(KnownDevices) private readonly devices: KnownDevices,
    @injectOptional(ThrottleLimits) limits: Partial<ThrottleLimits> = {},
  ) {
    this.#limits = { ...usualLimits, ...limits };
  }

  /**
   * Counts an attempt before it is made, so that attempts at once count too.
   * @throws {LongboxError} `kernel/too-many-attempts`, with the time to wait
   */
  async attempt(attempt: SignInAttempt): Promise<PermittedAttempt> {
    const nameHash = digest(attempt.name);
    const devices = devicesOf(attempt);
    const known = attempt.strict === true ? undefined : await this.devices.find(nameHash, devices);
    const keys = known === undefined ? this.#refusing(nameHash, attempt) : await this.#delaying(nameHash, known);
    await this.counts.add(keys, this.#limits.seconds * 1000);
    return {
      succeeded: async () => {
        const [own, ...others] = keys;
        await this.counts.drop(countId(own));
        await Promise.all(others.map((key) => this.counts.takeBack(key)));
        if (attempt.strict !== true) await this.devices.remember(nameHash, devices);
      },
    };
  }

  /** Remembers from where a name has signed in, by whatever way. */
  async remember({ name, ...place }: Omit<SignInAttempt, "strict">): Promise<void> {
    await this.devices.remember(digest(name), devicesOf(place));
  }

  /** What is refused or slowed down now. */
  list(): FailureCount[] {
    return this.counts.list().filter((count) => count.failures >= this.#limitOf(count.kind));
  }

  /** Forgets the failures of one count. @returns whether there was one */
  lift(id: string): Promise<boolean> {
    return this.counts.drop(id);
  }

  /** The counts of an attempt from nowhere known; the first is its own. */
  #refusing(nameHash: string, { address, isSecret }: SignInAttempt): CountKeys {
    const place = network(address);
    const keys: CountKeys = [
      { kind: "pair", nameHash, place },
      { kind: "address", nameHash: "", place },
      ...(isSecret === true ? [] : [{ kind: "name", nameHash, place: "" } as const]),
    ];
    const waits = keys.map((key) => {
      const count = this.counts.get(key);
      return count !== undefined && count.failures >= this.#limitOf(key.kind) ? count.expiresAt - Date.now() : 0;
    });
    const longest = Math.max(...waits);
    if (longest > 0) throw tooManyAttempts(longest);
    return keys;
  }

  async #delaying(nameHash: string, device: string): Promise<CountKeys> {
    const key: CountKey = { kind: "device", nameHash, place: digest(device) };
    const delayMs = this.#delayMs(this.counts.get(key)?.failures ?? 0);
    if (delayMs === 0) return [key];
    const lane = `${nameHash} ${key.place}`;
    const waiting = this.#waiting.get(lane) ?? 0;
    if (waiting >= mostWaiting) throw tooManyAttempts(delayMs);
    this.#waiting.set(lane, waiting + 1);
    try {
      await wait(delayMs);
    } finally {
      const left = this.#waiting.get(lane)! - 1;
      if (left > 0) this.#waiting.set(lane, left);
      else this.#waiting.delete(lane);
    }
    return [key];
  }

  /** Nothing at first, then twice as long after every fifth failure. */
  #delayMs(failures: number): number {
    const { undelayed, firstDelayMs, longestDelayMs } = this.#limits;
    if (failures < undelayed) return 0;
    return Math.min(longestDelayMs, firstDelayMs * 2 ** Math.floor((failures - undelayed) / 5));
  }

  #limitOf(kind: CountKind): number {
    const { perPair, perAddress, perName, undelayed } = this.#limits;
    return { pair: perPair, address: perAddress, name: perName, device: undelayed }[kind];
  }
}

function devicesOf({ address, device }: Pick<SignInAttempt, "address" | "device">): string[] {
  return [...(device === undefined ? [] : [`token ${device}`]), `address ${network(address)}`];
}
