import { systemViewer } from "@longbox/sdk";
import { Grant } from "../../../access/identifying/grant.js";
import { BrokenFrame } from "../wire/frames.js";
import { CannotCross, type SpecialKind } from "../wire/values.js";

/** Viewers as the kernel sends them. What comes back is either one that was sent, or the system's. */
export const viewerKind: SpecialKind = {
  tag: "v",
  write(value, { send, place }) {
    if (value === systemViewer) return { system: true };
    if (value instanceof Grant) {
      const { user, seesRestricted, rights } = value;
      return { number: send(value), user: { ...user }, seesRestricted, permissions: rights.list() };
    }
    if ("user" in value && "may" in value && "seesRestricted" in value)
      throw new CannotCross(place, "a viewer can only be passed on as the kernel has made it.");
    return undefined;
  },
  read(told) {
    if ((told as { system?: unknown } | null)?.system === true) return systemViewer;
    throw new BrokenFrame("A viewer was made up.");
  },
};
