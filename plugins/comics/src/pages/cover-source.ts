import type { CoverSource } from "@longbox/collection/contract";
import type { IssuePages } from "./pages.js";

/** Covers from the files themselves: the page that the tags call the front cover, else the first one. */
export function coverFromFiles(pages: IssuePages): CoverSource {
  /** A page that the present file does not have is not shown. */
  const chosenPage = async (issueId: number, chosen: number | undefined, usual: number): Promise<number> => {
    if (chosen === undefined) return usual;
    const version = await pages.findVersion(issueId);
    return version && chosen < version.pages ? chosen : usual;
  };
  return {
    rank: 10,
    async findCover({ issueId, page }) {
      const cover = await pages.findCover(issueId);
      return cover && pages.readPageBytes(issueId, await chosenPage(issueId, page, cover.page));
    },
    findCovered: (issueIds) => pages.findWithPages(issueIds),
    async validator({ issueId, page }) {
      const cover = await pages.findCover(issueId);
      return cover && `${cover.validator}-${await chosenPage(issueId, page, cover.page)}`;
    },
  };
}
