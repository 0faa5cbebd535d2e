/** A page in grey: one byte for each point, row by row. */
export interface GreyPage {
  readonly width: number;
  readonly height: number;
  readonly points: Uint8Array;
}

/** A part of a page, each value as a share of the page's width or height. */
export interface Panel {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A part of the grey page, in its points; `right` and `bottom` are outside. */
interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A point that differs from the paper by more than this, of 255, is drawn on. */
const paperTolerance = 30;
/** A line of the gutter may be drawn on in this share of its points: dust and the edges of scans. */
const gutterDirt = 0.012;
/** The narrowest gutter, as a share of the page. */
const narrowest = 0.0015;
/** Panels are cut in rows, these in columns, and so on: deeper than this lie parts of drawings. */
const deepest = 5;
/** Smaller parts, such as page numbers, are no panels: the least share of the page's area. */
const leastArea = 0.012;
/** Panels that together cover less of the page than this were not found well. */
const leastCover = 0.4;

/**
 * Finds the panels of a page by the empty gutters between them: cuts it into rows, the rows into columns, and so on.
 * @returns the panels in reading order; none when the page is not divided by gutters
 */
export function findPanels(page: GreyPage, direction: "ltr" | "rtl"): Panel[] {
  const isDrawn = drawnPoints(page);
  const whole = { left: 0, top: 0, right: page.width, bottom: page.height };
  const boxes = new PanelCutter(page, isDrawn, direction).cut(whole, 0);
  const panels = boxes
    .map(({ left, top, right, bottom }) => ({
      x: left / page.width,
      y: top / page.height,
      width: (right - left) / page.width,
      height: (bottom - top) / page.height,
    }))
    .filter(({ width, height }) => width * height >= leastArea);
  const cover = panels.reduce((sum, { width, height }) => sum + width * height, 0);
  return panels.length > 1 && cover >= leastCover ? panels : [];
}

/** The colour of the paper is the one that most points at the page's border have. */
function drawnPoints({ width, height, points }: GreyPage): Uint8Array {
  const counts = new Uint32Array(256);
  const count = (x: number, y: number) => (counts[points[y * width + x]!]! += 1);
  for (const y of [1, height - 2]) for (let x = 0; x < width; x++) count(x, y);
  for (const x of [1, width - 2]) for (let y = 0; y < height; y++) count(x, y);
  const paper = counts.indexOf(Math.max(...counts));
  return points.map((grey) => (Math.abs(grey - paper) > paperTolerance ? 1 : 0));
}

class PanelCutter {
  readonly #page: GreyPage;
  readonly #isDrawn: Uint8Array;
  readonly #direction: "ltr" | "rtl";

  constructor(page: GreyPage, isDrawn: Uint8Array, direction: "ltr" | "rtl") {
    this.#page = page;
    this.#isDrawn = isDrawn;
    this.#direction = direction;
  }

  cut(box: Box, depth: number): Box[] {
    const rows = this.#parts(box, "rows").map(([top, bottom]) => ({ ...box, top, bottom }));
    if (rows.length > 1 && depth < deepest) return rows.flatMap((row) => this.cut(row, depth + 1));
    const [row] = rows;
    if (!row) return [];
    const columns = this.#parts(row, "columns").map(([left, right]) => ({ ...row, left, right }));
    if (columns.length < 2 || depth >= deepest) return columns;
    const inOrder = this.#direction === "rtl" ? columns.toReversed() : columns;
    return inOrder.flatMap((column) => this.cut(column, depth + 1));
  }

  /** The parts of a box between its gutters, without what is empty around them. */
  #parts(box: Box, across: "rows" | "columns"): Array<[start: number, end: number]> {
    const [from, to] = across === "rows" ? [box.top, box.bottom] : [box.left, box.right];
    const gutter = Math.max(1, Math.round(narrowest * (across === "rows" ? this.#page.height : this.#page.width)));
    const parts: Array<[number, number]> = [];
    let empty = gutter;
    for (let line = from; line < to; line++) {
      if (this.#isEmpty(box, across, line)) {
        empty++;
        continue;
      }
      if (empty >= gutter || parts.length === 0) parts.push([line, line + 1]);
      else parts.at(-1)![1] = line + 1;
      empty = 0;
    }
    return parts;
  }

  #isEmpty({ left, top, right, bottom }: Box, across: "rows" | "columns", line: number): boolean {
    const { width } = this.#page;
    const isRow = across === "rows";
    const length = isRow ? right - left : bottom - top;
    let [at, drawn] = [isRow ? line * width + left : top * width + line, 0];
    for (let point = 0; point < length; point++, at += isRow ? 1 : width) drawn += this.#isDrawn[at]!;
    return drawn <= gutterDirt * length;
  }
}
