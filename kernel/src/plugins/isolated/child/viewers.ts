import { narrowedFrom, publicViewer, systemViewer, withoutRestricted, type User, type Viewer } from "@longbox/sdk";
import type { ToldSpecial, ToldViewer } from "../agreement.js";
import { CannotCross, type SpecialKind } from "../wire/values.js";

/** Viewers in the process: what they may is known here, and they go home as the viewers that they are. */
export const viewerKind: SpecialKind = {
  tag: "v",
  write(value, { place }, inner) {
    if (value === systemViewer) return { system: true };
    if (value === publicViewer) return { public: true };
    const given = narrowedFrom(value);
    if (given !== undefined) return { narrowed: inner(given) };
    if ("user" in value && "may" in value && "seesRestricted" in value)
      throw new CannotCross(place, "a viewer can only be passed on as the kernel has made it.");
    return undefined;
  },
  read(told, { receive }, inner) {
    const { system, public: isPublic, narrowed } = told as ToldSpecial;
    if (system === true) return systemViewer;
    if (isPublic === true) return publicViewer;
    if (narrowed !== undefined) return withoutRestricted(inner(narrowed) as Viewer);
    return receive((told as ToldViewer).number, new HeldViewer(told as ToldViewer));
  },
};

/** A viewer that is held here, as the kernel last told of it: it tells at once when the account changes. */
export class HeldViewer implements Viewer {
  #told: ToldViewer;

  constructor(told: ToldViewer) {
    this.#told = told;
  }

  get user(): User {
    return this.#told.user;
  }

  get seesRestricted(): boolean {
    return this.#told.seesRestricted;
  }

  may(permission: string): boolean {
    const { permissions } = this.#told;
    return permissions.includes("*") || permissions.includes(permission);
  }

  become(told: ToldViewer): void {
    this.#told = told;
  }
}
