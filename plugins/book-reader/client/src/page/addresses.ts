import { pathOf, t } from "@longbox/sdk/ui";
import { thisDevice } from "./this-device.js";

// Not in one expression with `new URL`, which the build would take for a file to be copied.
const here = import.meta.url;

/** What the page asks for to show a book. @param cvIssueId - of the book */
export function addressesOf(cvIssueId: number) {
  const book = `/api/ebooks/issue/${cvIssueId}`;
  return {
    opening: `/api/book-reader/issue/${cvIssueId}`,
    description: `/api/ebooks/books?issues=${cvIssueId}`,
    progress: `${book}/progress?device=${encodeURIComponent(thisDevice())}`,
    bookmarks: `${book}/bookmarks`,
    file: `${book}/file`,
    frame: "/api/book-reader/frame",
    engine: scriptAddress("engine"),
    pdf: scriptAddress("pdf"),
  };
}

/** Where the position is sent. */
export const reportPath = (cvIssueId: number) => `/api/ebooks/issue/${cvIssueId}/progress`;

const scriptAddress = (name: string) => pathOf(new URL(`${name}/${name}.js`, here));

export function protectedMessage(scheme: string): string {
  return t("addresses.thisBookIsProtected", { scheme });
}
