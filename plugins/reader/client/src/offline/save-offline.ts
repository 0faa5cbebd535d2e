import type { OpenIssue } from "@longbox/reader/api";
import type { OfflineItem } from "@longbox/sdk/client";
import { element, SaveOffline, t } from "@longbox/sdk/ui";
import { pageUrl } from "../stage/page-images.js";

interface IssueIds {
  readonly id: number;
  readonly cvIssueId: number;
}

/** Sharp on screens of phones and tablets, at a fraction of the room of the originals. */
const savedWidth = 1600;
const coverWidth = 160;

/** The action that saves an issue on this device: its description and its pages. */
@element("reader-save-offline")
export class SaveIssue extends SaveOffline<IssueIds> {
  protected readonly text = t("saveOffline.theIssueCanThen");

  protected pathOf({ cvIssueId }: IssueIds): string {
    return `/read/${cvIssueId}`;
  }

  protected async describe(ids: IssueIds): Promise<OfflineItem> {
    const { cvIssueId } = ids;
    const address = `/api/reader/issue/${cvIssueId}`;
    const { version, pageCount, label } = await this.longbox.api<OpenIssue>(address);
    const image = (page: number, width: number) => pageUrl({ cvIssueId, version, trim: false }, page, width);
    const pages = Array.from({ length: pageCount }, (_, page) => image(page, savedWidth));
    const cover = image(0, coverWidth);
    return {
      path: this.pathOf(ids),
      title: label.full,
      kind: t("saveOffline.comic"),
      cover,
      addresses: [address, ...pages, cover],
    };
  }
}
