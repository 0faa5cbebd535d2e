import type { HostLimits, HostRequest } from "@longbox/sdk";
import { HostBudgetSpent } from "./host-errors.js";

const hourMs = 3_600_000;
/** Background work leaves this share of an hour's requests to people. */
const leftToPeople = 0.2;

/** What a host is asked for within an hour, by kind. */
export class HostBudget {
  readonly #host: string;
  readonly #limits: () => HostLimits;
  readonly #asked = new Map<string, number[]>();

  constructor(host: string, limits: () => HostLimits) {
    this.#host = host;
    this.#limits = limits;
  }

  /** @throws {HostBudgetSpent} when the hour's requests of this kind are used up */
  check({ kind = "", urgency }: HostRequest): void {
    const { perHour } = this.#limits();
    if (perHour === undefined) return;
    const asked = this.#of(kind);
    const allowed = urgency === "background" ? Math.max(1, Math.floor(perHour * (1 - leftToPeople))) : perHour;
    if (asked.length < allowed) return;
    const freeAtMs = asked[asked.length - allowed]! + hourMs;
    throw new HostBudgetSpent(this.#host, Math.max(1, Math.ceil((freeAtMs - Date.now()) / 1000)));
  }

  count({ kind = "" }: HostRequest): void {
    if (this.#limits().perHour !== undefined) this.#of(kind).push(Date.now());
  }

  /** When this kind was asked for in the last hour, the oldest first. */
  #of(kind: string): number[] {
    const since = Date.now() - hourMs;
    const asked = (this.#asked.get(kind) ?? []).filter((at) => at > since);
    this.#asked.set(kind, asked);
    return asked;
  }
}
