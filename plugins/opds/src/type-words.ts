import type { CollectionContract, Issue, LibraryTypeWords } from "@longbox/collection/contract";

/** For a type that no running plugin provides. */
const unknown: LibraryTypeWords = { unit: { one: "work", other: "works" }, length: "fraction", named: "by-title" };

/** The current words of each library type. */
export async function typeWords(
  library: Pick<CollectionContract, "listLibraryTypes">,
): Promise<(type: string) => LibraryTypeWords> {
  const types = new Map((await library.listLibraryTypes()).map(({ id, words }) => [id, words]));
  return (type) => types.get(type) ?? unknown;
}

/** The number of pages by which positions are counted; 0 when positions have another unit. */
export function countedPages(issue: Issue, words: LibraryTypeWords): number {
  return words.length === "pages" ? issue.pages : 0;
}

/** The length of a work in the words of its type: `21 pages`, `9 hours 12 minutes`; undefined when it is unknown. */
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
