import type { CoverSource } from "@longbox/collection/contract";
import type { IssuePages } from "./pages.js";

/** Covers from the files themselves: the page that the tags call the front cover, else the first one. */
export function coverFromFiles(pages: IssuePages): CoverSource {
  return {
    rank: 10,
    async findCover({ issueId }) {
      const cover = await pages.findCover(issueId);
      return cover && pages.readPageBytes(issueId, cover.page);
    },
    async validator({ issueId }) {
      const cover = await pages.findCover(issueId);
      return cover && `${cover.validator}-${cover.page}`;
    },
  };
}
