const byLibraryType: Readonly<Record<string, readonly string[]>> = {
  comic: ["7030"],
  manga: ["7030"],
  ebook: ["7020", "7040", "7060"],
  audiobook: ["3030"],
};
const anyBook = ["7000"];

/** Comics, books and audiobooks. */
export const feedCategories = "7000,3030";

/**
 * The categories to search, as a parameter.
 * @param chosen - What a person chose for this indexer, which counts as it stands
 * @param offered - What the indexer says it has; where a category is not among it, the one above stands for it
 */
export function categoriesFor(libraryType: string, chosen: readonly string[], offered: readonly string[]): string {
  if (chosen.length > 0) return chosen.join(",");
  const wanted = byLibraryType[libraryType] ?? anyBook;
  const known = wanted.filter((category) => offered.includes(category));
  if (known.length > 0) return known.join(",");
  const above = wanted
    .map((category) => `${category.slice(0, -3)}000`)
    .filter((category) => offered.includes(category));
  return [...new Set(above.length > 0 ? above : wanted)].join(",");
}
