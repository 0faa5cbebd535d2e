import type { Audience } from "./contract.js";

/**
 * The key of something cached for this viewer: users from whom items are hidden never share it with those who see all.
 */
export function keyFor(key: string, viewer: Audience | undefined): string {
  return viewer === undefined || viewer.seesRestricted ? key : `open ${key}`;
}
