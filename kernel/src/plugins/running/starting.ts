import type { Member } from "../installed/member.js";
import { opensFor } from "../installed/planning.js";
import { overlap } from "../../http/routing/base-paths.js";

/** The two steps of a start. Neither throws: a failure is recorded with the member. */
export interface StartSteps<Ready> {
  /** Runs its `activate` without publishing anything. Undefined when that failed. */
  activate(member: Member): Promise<Ready | undefined>;
  /** Whether it cannot be published before another has declared what it uses. */
  isEarly(ready: Ready): boolean;
  /** Publishes its contributions. @returns whether that worked */
  publish(member: Member, ready: Ready): Promise<boolean>;
}

/**
 * Starts plugins side by side: each begins as soon as everything that it requires runs, and is shown as soon as it is
 * ready, so that one which takes long, or hangs, holds up only those who need it. Only where the order decides what
 * others get do plugins wait for earlier ones: users of an optional capability for its provider, contributors for the
 * owner of the extension point, users of a permission for who declares it, and providers of the same capability or
 * website for each other; but never longer than `patienceMs`.
 *
 * @param members - in an order in which every provider comes before those who need it
 * @param patienceMs - counts only while the event loop has nothing to do, since starts that are busy are not hanging
 * @returns whether all of them run
 */
export async function startTogether<Ready>(
  members: readonly Member[],
  patienceMs: number,
  steps: StartSteps<Ready>,
): Promise<boolean> {
  const patience = new Patience(patienceMs);
  const outcomes = new Map<Member, Promise<boolean>>();
  for (const member of members) {
    const earlier = [...outcomes.keys()];
    const ended = (others: readonly Member[]) => Promise.all(others.map((other) => outcomes.get(other)!));
    outcomes.set(member, startOne(member, { earlier, ended, patience: patience.lost }, steps));
  }
  try {
    return (await Promise.all(outcomes.values())).every(Boolean);
  } finally {
    patience.end();
  }
}

/** Ends once the event loop has been idle for a time in total. */
class Patience {
  readonly lost: Promise<void>;
  readonly #idleBefore = performance.eventLoopUtilization();
  #timer: NodeJS.Timeout | undefined;

  constructor(patienceMs: number) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.lost = promise;
    const look = () => {
      const leftMs = patienceMs - performance.eventLoopUtilization(this.#idleBefore).idle;
      if (leftMs > 0) this.#timer = setTimeout(look, Math.ceil(leftMs));
      else resolve();
    };
    look();
  }

  end(): void {
    clearTimeout(this.#timer);
  }
}

interface Surroundings {
  readonly earlier: readonly Member[];
  ended(others: readonly Member[]): Promise<boolean[]>;
  readonly patience: Promise<void>;
}

async function startOne<Ready>(
  member: Member,
  { earlier, ended, patience }: Surroundings,
  steps: StartSteps<Ready>,
): Promise<boolean> {
  const { manifest } = member.plugin;
  const { requires, optional } = manifest;
  const comesBefore = (other: Member) => provides(other, optional) || opensFor(other.plugin.manifest, manifest);
  const needed = await ended(earlier.filter((other) => provides(other, requires)));
  if (!needed.every(Boolean)) return false;
  await ended(earlier.filter((other) => declareTheSame(other, member)));
  await Promise.race([patience, ended(earlier.filter(comesBefore))]);
  const ready = await steps.activate(member);
  if (ready === undefined) return false;
  if (steps.isEarly(ready)) await Promise.race([patience, ended(earlier.filter(declaresPermissions))]);
  await Promise.race([patience, ended(earlier.filter((other) => takesThePlaceOf(member, other)))]);
  return steps.publish(member, ready);
}

function declaresPermissions({ plugin: { manifest } }: Member): boolean {
  return manifest.permissions.length > 0;
}

/** Of two that provide the same, the later one takes the place of the earlier. */
function takesThePlaceOf({ plugin: { manifest } }: Member, other: Member): boolean {
  return (
    provides(other, manifest.provides) || (manifest.site !== undefined && other.plugin.manifest.site !== undefined)
  );
}

function provides(other: Member, wanted: Readonly<Record<string, string>>): boolean {
  return Object.keys(other.plugin.manifest.provides).some((capability) => capability in wanted);
}

/**
 * When two plugins declare the same permission, event domain or base path, the earlier one gets it, even if the other
 * starts faster.
 */
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
