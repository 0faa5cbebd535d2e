import type { Check } from "./check.js";
import { lineOf, readSources, withoutComments } from "./sources.js";

/**
 * Where viewers are made: the SDK's own two, the kernel's, and those that stand for them in the processes of plugins.
 */
const makers = /^(?:sdk\/src\/viewer\.ts$|kernel\/src\/access\/|kernel\/src\/plugins\/isolated\/child\/)/;
/** An object or a class that is made to look like a viewer, and what is called one without being one. */
const made =
  /\bmay\s*:\s*\(?[^()=;{}]*\)?\s*=>(?!\s*boolean\b)|\bimplements\b[^{]*\bViewer\b|\bas (?:unknown as )?Viewer\b/g;
/** A column for what a user may do. It would go on counting after the rights of the user have changed. */
const kept = /\.addColumn\(\s*"(?:[a-z_]*_)?(?:permissions?|rights|roles?|viewer|sees_restricted)"/g;
const findings = [
  { pattern: made, says: "makes a viewer: take that of the request, or ask kernel.users for one" },
  { pattern: kept, says: "stores rights: store the user's id, and ask kernel.users when they matter" },
];

/** Viewers come from the kernel, so that they follow the account, and no plugin stores what a user may do. */
export const viewersCheck: Check = {
  name: "viewers",
  async find(root) {
    const sources = await readSources(root, ["kernel/src", "sdk/src", "registry", "plugins", "examples"], /\.ts$/);
    return sources
      .filter(
        ({ path }) => !makers.test(path) && !/(?:^|\/)(?:test|client)\/|\.test\.ts$|^kernel\/src\/testing/.test(path),
      )
      .flatMap(({ path, text }) => {
        const code = withoutComments(text);
        return findings.flatMap(({ pattern, says }) =>
          [...code.matchAll(pattern)].map(({ index }) => `${path}:${lineOf(code, index)} ${says}.`),
        );
      });
  },
};
