import type { AudiobookChapters, AudiobookInfo } from "@longbox/audiobooks/api";
import type { OfflineItem } from "@longbox/sdk/client";
import { addressOf, element, SaveOffline, t } from "@longbox/sdk/ui";
import { addressesOf } from "../player/addresses.js";
import { cannotPlay } from "../player/resuming.js";
import { Timeline } from "../player/timeline.js";

interface IssueIds {
  readonly id: number;
}

const coverWidth = 640;

/** The action that saves an audiobook on this device: its files, and what the player asks for. */
@element("audiobooks-player-save")
export class SaveAudiobook extends SaveOffline<IssueIds> {
  protected readonly text = t("saveAudiobook.theAudiobookCanThen");

  protected pathOf({ id }: IssueIds): string {
    return `/listen/${id}`;
  }

  protected async describe(ids: IssueIds): Promise<OfflineItem> {
    const addresses = addressesOf(ids.id);
    const [[info], chapters] = await Promise.all([
      this.longbox.api<readonly AudiobookInfo[]>(addresses.info),
      this.longbox.api<AudiobookChapters>(addresses.chapters),
    ]);
    if (!info) throw new Error(t("saveAudiobook.isNotThere"));
    // What the server converts while it plays cannot be saved.
    const cannot = cannotPlay(info, chapters.parts);
    if (cannot !== undefined) throw new Error(cannot);
    const timeline = new Timeline(ids.id, chapters);
    const files = chapters.parts.map((_, part) => timeline.addressOf(part, undefined));
    const cover = `${info.cover}?w=${coverWidth}`;
    const hasCover = (await fetch(addressOf(cover))).ok;
    return {
      path: this.pathOf(ids),
      title: info.title,
      kind: t("saveAudiobook.audiobook"),
      expectedBytes: info.size,
      ...(hasCover && { cover }),
      addresses: [
        addresses.chapters,
        ...[addresses.info, addresses.progress, addresses.bookmarks],
        ...files,
        ...(hasCover ? [cover] : []),
      ],
    };
  }
}
