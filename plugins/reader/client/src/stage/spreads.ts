/** Pages that are shown side by side, in reading order; counted from 0. */
export type Spread = readonly number[];

/** The width of a page divided by its height, where it is known. */
export type AspectOf = (page: number) => number | undefined;

/** From this ratio on, a page is a spread of two pages in one image. */
const wide = 1.1;

/**
 * Pairs pages as they face each other in print: the cover alone, then two by two; a page that is a spread by itself
 * stands alone and the next pair begins after it.
 * @param coverAlone - Whether the first page stands alone; turned off, it corrects scans that lack a page.
 */
export function facingSpreads(pageCount: number, aspectOf: AspectOf, coverAlone: boolean): Spread[] {
  const spreads: Spread[] = [];
  let page = 0;
  while (page < pageCount) {
    const alone =
      (page === 0 && coverAlone) || isWide(page, aspectOf) || page + 1 >= pageCount || isWide(page + 1, aspectOf);
    spreads.push(alone ? [page] : [page, page + 1]);
    page += alone ? 1 : 2;
  }
  return spreads;
}

export function singlePages(pageCount: number): Spread[] {
  return Array.from({ length: pageCount }, (_, page) => [page]);
}

/** The index of the spread that holds a page. */
export function spreadOf(spreads: readonly Spread[], page: number): number {
  const index = spreads.findIndex((spread) => spread.includes(page));
  return index < 0 ? Math.max(0, spreads.length - 1) : index;
}

function isWide(page: number, aspectOf: AspectOf): boolean {
  return (aspectOf(page) ?? 0) >= wide;
}
