import { readFile } from "node:fs/promises";
import { imageTypeOf } from "@longbox/sdk";
import type { CoverSource } from "@longbox/collection/contract";
import type { Images } from "./images.js";

/** The provider's covers, for issues without a cover on disk. */
export function providerCovers(images: Images): CoverSource {
  return {
    rank: 100,
    isRemote: true,
    validator: async ({ cvIssueId }) => (cvIssueId > 0 ? await images.validator("issue", cvIssueId) : undefined),
    async findCover({ cvIssueId }) {
      if (cvIssueId < 0 || (await images.validator("issue", cvIssueId)) === undefined) return undefined;
      const path = await images.fetch("issue", cvIssueId);
      const bytes = await readFile(path);
      return { bytes, contentType: imageTypeOf(bytes) ?? "application/octet-stream" };
    },
  };
}
