import { readFile } from "node:fs/promises";
import type { CoverSource } from "@longbox/collection/contract";
import { imageTypeOf } from "./image-type.js";
import type { Images } from "./images.js";

/** The provider's covers, for issues that nothing on disk has a cover of. */
export function providerCovers(images: Images): CoverSource {
  return {
    rank: 100,
    validator: async ({ cvIssueId }) => (cvIssueId > 0 ? await images.validator("issue", cvIssueId) : undefined),
    async findCover({ cvIssueId }) {
      if (cvIssueId < 0 || (await images.validator("issue", cvIssueId)) === undefined) return undefined;
      const path = await images.fetch("issue", cvIssueId);
      return { bytes: await readFile(path), contentType: await imageTypeOf(path) };
    },
  };
}
