import { systemViewer, type User } from "@longbox/sdk";
import { CannotCross, type SpecialKind } from "../wire/values.js";

/** What the kernel tells of a viewer. */
interface ToldViewer {
  readonly system?: boolean;
  readonly number: number;
  readonly user: User;
  readonly seesRestricted: boolean;
  readonly permissions: readonly string[];
}

/** Viewers in the process: what they may is known here, and they go home as the viewers that they are. */
export const viewerKind: SpecialKind = {
  tag: "v",
  write(value, { place }) {
    if (value === systemViewer) return { system: true };
    if ("user" in value && "may" in value && "seesRestricted" in value)
      throw new CannotCross(place, "a viewer can only be passed on as the kernel has made it.");
    return undefined;
  },
  read(told, { receive }) {
    const { system, number, user, seesRestricted, permissions } = told as ToldViewer;
    if (system === true) return systemViewer;
    const may = new Set(permissions);
    const mayAll = may.has("*");
    return receive(number, { user, seesRestricted, may: (permission: string) => mayAll || may.has(permission) });
  },
};
