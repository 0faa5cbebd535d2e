/** A page's place in the strip, in CSS pixels from its top. */
interface Slot {
  readonly offsetTop: number;
  readonly offsetHeight: number;
}

/** How far before and after the window pages are loaded, as a share of its height. */
const behind = 0.75;
const ahead = 1.5;
/** Never more pages than this at once, however small they are: each is decoded in full. */
const mostPages = 12;

/** The first page that ends below a line; the last page when the line is below all. */
export function crossing(slots: readonly Slot[], line: number): number {
  let [low, high] = [0, slots.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    const { offsetTop, offsetHeight } = slots[middle]!;
    if (offsetTop + offsetHeight > line) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The pages to hold for a window of the strip: those in it first, then what comes after, then what was before. */
export function wantedPages(slots: readonly Slot[], window: { top: number; height: number }): Set<number> {
  const first = crossing(slots, window.top);
  const last = crossing(slots, window.top + window.height);
  const end = crossing(slots, window.top + window.height * (1 + ahead));
  const start = crossing(slots, window.top - window.height * behind);
  const wanted = new Set<number>();
  const add = (page: number) => wanted.size < mostPages && wanted.add(page);
  for (let page = first; page <= Math.max(last, end); page++) add(page);
  for (let page = first - 1; page >= start; page--) add(page);
  return wanted;
}
