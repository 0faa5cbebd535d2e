import { dirname } from "node:path";
import { setImmediate as breathe } from "node:timers/promises";

export type RefileStatus = "move" | "unchanged" | "collision" | "no-name" | "failed";

/** Steps that are planned before other requests have their turn. */
const stepsAtOnce = 500;

/** What becomes of one file. `to` is the goal, or `from` where there is none. */
export interface RefileStep {
  readonly from: string;
  readonly to: string;
  readonly status: RefileStatus;
  /** Why it failed, in a sentence. */
  readonly error?: string | undefined;
}

/** A file and where it should be; undefined when no name can be made for it. */
export interface WantedPlace {
  readonly from: string;
  readonly to: string | undefined;
}

/**
 * Plans moves so that nothing is ever overwritten: of two files for one place the first gets it, and a file goes to a
 * place that is taken only when the file there leaves it before. The steps stand in the order in which they are to be
 * carried out.
 * @param isTaken - Whether something else exists at a path, or at one that some file systems treat as the same: see
 *   {@link placeKey}
 */
export async function planRefile(
  wanted: readonly WantedPlace[],
  isTaken: (path: string) => boolean,
): Promise<RefileStep[]> {
  const steps: RefileStep[] = [];
  const pending: Array<{ from: string; to: string }> = [];
  const standing = new Map<string, string[]>();
  const claimed = new Set<string>();
  for await (const { from, to } of unhurried(wanted)) {
    const place = placeKey(from);
    const others = standing.get(place);
    if (others) others.push(from);
    else standing.set(place, [from]);
    if (from === to) claimed.add(place);
  }
  for await (const { from, to } of unhurried(wanted)) {
    if (to === undefined) steps.push({ from, to: from, status: "no-name" });
    else if (to === from) steps.push({ from, to, status: "unchanged" });
    else if (claimed.has(placeKey(to)) || wouldNest(from, to)) steps.push({ from, to, status: "collision" });
    else {
      claimed.add(placeKey(to));
      pending.push({ from, to });
    }
  }
  return [...steps, ...(await orderMoves(pending, standing, isTaken))];
}

/** A file leaves before another one takes its place; those that wait for each other in a circle stay. */
async function orderMoves(
  moves: ReadonlyArray<{ from: string; to: string }>,
  standing: ReadonlyMap<string, readonly string[]>,
  isTaken: (path: string) => boolean,
): Promise<RefileStep[]> {
  const ordered: RefileStep[] = [];
  const waiting = new Map<string, Array<{ from: string; to: string }>>();
  const ready: Array<{ from: string; to: string }> = [];
  for await (const move of unhurried(moves)) {
    const [occupant, ...others] = (standing.get(placeKey(move.to)) ?? []).filter((path) => path !== move.from);
    if (occupant === undefined) ready.push(move);
    else if (others.length === 0) waiting.set(occupant, [...(waiting.get(occupant) ?? []), move]);
  }
  for await (const move of unhurried(ready)) {
    if (isTaken(move.to)) {
      ordered.push({ ...move, status: "collision" });
      continue;
    }
    ordered.push({ ...move, status: "move" });
    ready.push(...(waiting.get(move.from) ?? []));
    waiting.delete(move.from);
  }
  const done = new Set(ordered.map((step) => step.from));
  return [
    ...ordered,
    ...moves.filter((move) => !done.has(move.from)).map((move): RefileStep => ({ ...move, status: "collision" })),
  ];
}

/** Gives other requests their turn every few thousandths of a second. What is appended meanwhile is given as well. */
async function* unhurried<T>(items: readonly T[]): AsyncGenerator<T> {
  for (const [index, item] of items.entries()) {
    if (index % stepsAtOnce === stepsAtOnce - 1) await breathe();
    yield item;
  }
}

function wouldNest(from: string, to: string): boolean {
  return to.startsWith(`${from}/`) || from.startsWith(`${to}/`) || dirname(to) === from;
}

/** Names that differ only in case or in how accents are written are one place on many disks. */
export function placeKey(path: string): string {
  return path.normalize("NFC").toLowerCase();
}
