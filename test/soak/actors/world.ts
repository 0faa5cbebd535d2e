import type { SeededRandom } from "@longbox/test/fixtures";
import { Client } from "../support/asking.ts";
import { pause } from "../support/sampling.ts";
import type { Tally } from "../support/tally.ts";

/** An issue that can be read. */
export interface ReadableIssue {
  readonly cvIssueId: number;
  readonly seriesId: number;
  readonly pages: number;
}

/** What all actors share. */
export interface World {
  readonly url: string;
  readonly adminKey: string;
  readonly viewerKey: string;
  readonly tally: Tally;
  readonly random: SeededRandom;
  readonly signal: AbortSignal;
  /** 2 is twice as often. */
  readonly rate: number;
  readonly issues: readonly ReadableIssue[];
}

export interface Actor {
  readonly name: string;
  /** Between two turns, at a rate of 1. */
  readonly everyMs: number;
  turn(): Promise<void>;
}

export const viewerOf = (world: World, actor: string): Client =>
  new Client(actor, { url: world.url, key: world.viewerKey, tally: world.tally });

export const adminOf = (world: World, actor: string): Client =>
  new Client(actor, { url: world.url, key: world.adminKey, tally: world.tally });

export const anyOf = <T>(world: World, list: readonly T[]): T =>
  list[Math.floor(world.random.next() * list.length)] as T;

/** Waits a while that depends on the rate, or until the run ends. */
export const breathe = (world: World, ms: number): Promise<void> => pause(ms / world.rate, world.signal);

/** Lets an actor take its turns until the run ends. One that throws is counted and goes on. */
export async function act(world: World, actor: Actor): Promise<void> {
  while (!world.signal.aborted) {
    await breathe(world, actor.everyMs * (0.5 + world.random.next()));
    if (world.signal.aborted) return;
    await actor.turn().catch((error: Error) => world.tally.failed(actor.name, error.stack ?? error.message));
  }
}
