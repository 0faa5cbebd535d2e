import { narrowedFrom, publicViewer, systemViewer, withoutRestricted, type Viewer } from "@longbox/sdk";
import { Grant } from "../../../access/identifying/grant.js";
import type { ToldSpecial, ToldViewer } from "../agreement.js";
import { BrokenFrame } from "../wire/frames.js";
import { CannotCross, type SpecialKind } from "../wire/values.js";

/** Viewers as the kernel sends them. What comes back is one that was sent, the system's or the public's. */
export const viewerKind: SpecialKind = {
  tag: "v",
  write(value, { send, place }, inner) {
    if (value === systemViewer) return { system: true };
    if (value === publicViewer) return { public: true };
    const given = narrowedFrom(value);
    if (given !== undefined) return { narrowed: inner(given) };
    if (value instanceof Grant) return toldViewer(send(value), value);
    if ("user" in value && "may" in value && "seesRestricted" in value)
      throw new CannotCross(place, "a viewer can only be passed on as the kernel has made it.");
    return undefined;
  },
  read(told, _, inner) {
    const { system, public: isPublic, narrowed } = (told ?? {}) as ToldSpecial;
    if (system === true) return systemViewer;
    if (isPublic === true) return publicViewer;
    const given = narrowed === undefined ? undefined : inner(narrowed);
    if (isKernelViewer(given)) return withoutRestricted(given);
    throw new BrokenFrame("A viewer was made up.");
  },
};

const isKernelViewer = (value: unknown): value is Viewer =>
  value instanceof Grant || value === systemViewer || value === publicViewer;

/** What the viewers of these users may do now, of all that the process holds. */
export function toldViewers(
  held: Iterable<readonly [number: number, thing: object]>,
  userIds: readonly number[],
): ToldViewer[] {
  const ids = new Set(userIds);
  return [...held].flatMap(([number, thing]) =>
    thing instanceof Grant && ids.has(thing.user.id) ? [toldViewer(number, thing)] : [],
  );
}

function toldViewer(number: number, { user, seesRestricted, rights }: Grant): ToldViewer {
  return { number, user: { ...user }, seesRestricted, permissions: rights.list() };
}
