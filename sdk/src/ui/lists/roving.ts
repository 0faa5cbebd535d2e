/** How many rows the page keys move. */
const pageRows = 3;

/** Where the focus goes in a grid of `count` cells in `columns`, or undefined when the key means nothing here. */
export function nextCell(
  key: string,
  at: number,
  { count, columns }: { readonly count: number; readonly columns: number },
): number | undefined {
  const last = count - 1;
  const clamp = (index: number): number => Math.max(0, Math.min(last, index));
  switch (key) {
    case "ArrowRight":
      return clamp(at + 1);
    case "ArrowLeft":
      return clamp(at - 1);
    case "ArrowDown":
      return at + columns <= last ? at + columns : at;
    case "ArrowUp":
      return at - columns >= 0 ? at - columns : at;
    case "PageDown":
      return clamp(at + columns * pageRows);
    case "PageUp":
      return clamp(at - columns * pageRows);
    case "Home":
      return 0;
    case "End":
      return last;
    default:
      return undefined;
  }
}
