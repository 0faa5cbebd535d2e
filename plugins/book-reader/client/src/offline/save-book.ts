import type { OpenBook } from "@longbox/book-reader/api";
import type { BookDocument } from "@longbox/books/api";
import type { OfflineItem } from "@longbox/sdk/client";
import { addressOf, element, SaveOffline, t } from "@longbox/sdk/ui";
import { addressesOf, protectedMessage } from "../page/addresses.js";

interface IssueIds {
  readonly id: number;
  readonly cvIssueId: number;
}

const coverWidth = 160;

/** The action that saves a book on this device: its file, and what the reader's page asks for. */
@element("book-reader-save-offline")
export class SaveBook extends SaveOffline<IssueIds> {
  protected readonly text = t("saveBook.theBookCanThen");

  protected pathOf({ cvIssueId }: IssueIds): string {
    return `/books/${cvIssueId}`;
  }

  protected async describe(ids: IssueIds): Promise<OfflineItem> {
    const { opening, description, progress, bookmarks, file, frame, engine, pdf } = addressesOf(ids.cvIssueId);
    const [{ title }, [book]] = await Promise.all([
      this.longbox.api<OpenBook>(opening),
      this.longbox.api<readonly BookDocument[]>(description),
    ]);
    if (book?.drm) throw new Error(protectedMessage(book.drm));
    const cover = book && (await findCover(book));
    return {
      path: this.pathOf(ids),
      title,
      kind: t("saveBook.book"),
      ...(cover !== undefined && { cover }),
      ...(book && { expectedBytes: book.size }),
      addresses: [
        opening,
        ...[description, progress, bookmarks, file, frame, engine],
        ...(book?.format === "pdf" ? [pdf] : []),
        ...(cover === undefined ? [] : [cover]),
      ],
    };
  }
}

/** Not every book has one. */
async function findCover({ cover }: BookDocument): Promise<string | undefined> {
  const address = `${cover}?w=${coverWidth}`;
  return (await fetch(addressOf(address))).ok ? address : undefined;
}
