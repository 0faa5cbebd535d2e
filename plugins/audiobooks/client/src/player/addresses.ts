import { deviceName } from "./choices.js";

/** What the player asks for to play an audiobook, besides its files. @param id - Of the audiobook, the internal one */
export function addressesOf(id: number) {
  const book = `/api/audiobooks/issue/${id}`;
  return {
    info: `/api/audiobooks/info?issues=${id}`,
    chapters: `${book}/chapters`,
    progress: `${reportPath(id)}?device=${encodeURIComponent(deviceName())}`,
    bookmarks: `${book}/bookmarks`,
  };
}

/** Where the position is sent. */
export const reportPath = (id: number) => `/api/audiobooks/issue/${id}/progress`;
