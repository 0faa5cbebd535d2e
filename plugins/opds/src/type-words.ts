import type { CollectionContract, Issue, LibraryTypeWords } from "@longbox/collection/contract";

/** For a type that no plugin brings any more. */
const unknown: LibraryTypeWords = { unit: { one: "work", other: "works" }, length: "fraction", named: "by-title" };

/** How works of each type are spoken of, as it is now. */
export async function typeWords(
  library: Pick<CollectionContract, "listLibraryTypes">,
): Promise<(type: string) => LibraryTypeWords> {
  const types = new Map((await library.listLibraryTypes()).map(({ id, words }) => [id, words]));
  return (type) => types.get(type) ?? unknown;
}

/** How many pages positions in the work are counted by; 0 when they are told in other ways. */
export function countedPages(issue: Issue, words: LibraryTypeWords): number {
  return words.length === "pages" ? issue.pages : 0;
}

/** How long a work is, in the words of its type: `21 pages`, `9 hours 12 minutes`; undefined when that is not told. */
export function lengthOf(issue: Issue, words: LibraryTypeWords): string | undefined {
  const pages = countedPages(issue, words);
  if (pages > 0) return counted(pages, "page");
  if (words.length !== "seconds" || issue.seconds === undefined) return undefined;
  const minutes = Math.max(1, Math.round(issue.seconds / 60));
  const parts = [counted(Math.floor(minutes / 60), "hour"), counted(minutes % 60, "minute")];
  return parts.filter((part) => !part.startsWith("0 ")).join(" ");
}

function counted(count: number, unit: string): string {
  return count === 1 ? `1 ${unit}` : `${count} ${unit}s`;
}
