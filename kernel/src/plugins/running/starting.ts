import type { Member } from "../installed/member.js";
import { overlap } from "../../http/routing/base-paths.js";

/** The two steps of a start. Neither throws: a failure is recorded with the member. */
export interface StartSteps<Ready> {
  /** Runs its `activate` without publishing anything. Undefined when that failed. */
  activate(member: Member): Promise<Ready | undefined>;
  /** Publishes its contributions. @returns whether that worked */
  publish(member: Member, ready: Ready): Promise<boolean>;
}

/**
 * Starts plugins side by side: each begins as soon as everything that it requires runs, so that one which takes long, or
 * hangs, holds up only those who need it. Those that are ready are shown in the order given, since of two that claim one
 * route the earlier gets it, and an optional provider comes before those who would use it; but neither is waited for
 * longer than `patienceMs`.
 *
 * @param members - in an order in which every provider comes before those who need it
 * @returns whether all of them run
 */
export async function startTogether<Ready>(
  members: readonly Member[],
  patienceMs: number,
  steps: StartSteps<Ready>,
): Promise<boolean> {
  const { promise: patience, resolve: loseIt } = Promise.withResolvers<void>();
  const timer = setTimeout(loseIt, patienceMs);
  const outcomes = new Map<Member, Promise<boolean>>();
  let allBefore: Promise<unknown> = Promise.resolve();
  for (const member of members) {
    const earlier = [...outcomes.keys()];
    const ended = (others: readonly Member[]) => Promise.all(others.map((other) => outcomes.get(other)!));
    const outcome = startOne(member, { earlier, ended, patience, turn: allBefore }, steps);
    outcomes.set(member, outcome);
    allBefore = Promise.all([allBefore, outcome]);
  }
  try {
    return (await Promise.all(outcomes.values())).every(Boolean);
  } finally {
    clearTimeout(timer);
  }
}

interface Surroundings {
  readonly earlier: readonly Member[];
  ended(others: readonly Member[]): Promise<boolean[]>;
  readonly patience: Promise<void>;
  /** Settles when all that come earlier have started or failed. */
  readonly turn: Promise<unknown>;
}

async function startOne<Ready>(
  member: Member,
  { earlier, ended, patience, turn }: Surroundings,
  steps: StartSteps<Ready>,
): Promise<boolean> {
  const { requires, optional } = member.plugin.manifest;
  const needed = await ended(earlier.filter((other) => provides(other, requires)));
  if (!needed.every(Boolean)) return false;
  await ended(earlier.filter((other) => declareTheSame(other, member)));
  await Promise.race([patience, ended(earlier.filter((other) => provides(other, optional)))]);
  const ready = await steps.activate(member);
  if (ready === undefined) return false;
  await Promise.race([patience, turn]);
  return steps.publish(member, ready);
}

function provides(other: Member, wanted: Readonly<Record<string, string>>): boolean {
  return Object.keys(other.plugin.manifest.provides).some((capability) => capability in wanted);
}

/** When two plugins declare the same permission, event domain or base path, the earlier one gets it, even if the other starts faster. */
function declareTheSame(one: Member, other: Member): boolean {
  const [ownPaths, otherPaths] = [one.plugin.manifest.basePaths, other.plugin.manifest.basePaths];
  if (ownPaths.some((path) => otherPaths.some((taken) => overlap(path, taken)))) return true;
  const names = ({ plugin: { manifest } }: Member) => [
    ...manifest.permissions.map(({ key }) => `permission ${key}`),
    ...manifest.events.map(({ domain }) => `domain ${domain}`),
  ];
  const taken = new Set(names(one));
  return taken.size > 0 && names(other).some((name) => taken.has(name));
}
