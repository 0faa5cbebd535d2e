import { LongboxError } from "@longbox/sdk";
import { token } from "../../injection.js";

export interface ThrottleLimits {
  /**
   * Failed attempts for one name at one address, at one address whatever the name, and for one name wherever, within
   * `seconds`.
   */
  readonly perPair: number;
  readonly perAddress: number;
  readonly perName: number;
  readonly seconds: number;
  /** How many failed attempts a known device may make without delay; after that each waits longer. */
  readonly undelayed: number;
  readonly firstDelayMs: number;
  readonly longestDelayMs: number;
  /** Accounts that one address may ask for within `registrationSeconds`. */
  readonly registrations: number;
  readonly registrationSeconds: number;
  /** Sign-ins elsewhere that one address may begin within `seconds`. */
  readonly outsideSignIns: number;
}

/** Where they differ from the usual ones. */
export const ThrottleLimits = token<Partial<ThrottleLimits>>("limits of signing in");

export const usualLimits: ThrottleLimits = {
  perPair: 10,
  perAddress: 40,
  perName: 100,
  seconds: 300,
  undelayed: 5,
  firstDelayMs: 500,
  longestDelayMs: 10_000,
  registrations: 10,
  registrationSeconds: 3600,
  outsideSignIns: 40,
};

export function tooManyAttempts(waitMs: number): LongboxError {
  const retryAfterSeconds = Math.max(1, Math.ceil(waitMs / 1000));
  return new LongboxError(
    "too-many-requests",
    "kernel/too-many-attempts",
    `Too many attempts; try again in ${retryAfterSeconds} seconds.`,
    undefined,
    { retryAfterSeconds },
  );
}
