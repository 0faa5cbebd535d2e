/** Where a dragged row would go. */
export interface Drop {
  readonly from: number;
  /** The index that the row would have afterwards. */
  readonly to: number;
}

export interface DraggedRows {
  /** The rows that are shown, in order. */
  rows(): readonly HTMLElement[];
  /** Called while the row is dragged, and with undefined when the drag ends without a change. */
  hover(drop: Drop | undefined): void;
  drop(drop: Drop): void;
}

/** How far the page scrolls per frame while the pointer is near an edge of the window, in pixels. */
const scrollStep = 14;
const edge = 72;

/** Drags a row by pointer: mouse, pen and finger alike. Escape leaves everything as it was. */
export function drag(event: PointerEvent, from: number, list: DraggedRows): void {
  const handle = event.currentTarget as HTMLElement;
  handle.setPointerCapture(event.pointerId);
  event.preventDefault();
  const released = new AbortController();
  const { signal } = released;
  let y = event.clientY;
  let drop: Drop | undefined;
  const look = () => {
    const to = indexAt(list.rows(), y, from);
    drop = to === from ? undefined : { from, to };
    list.hover(drop);
  };
  const scroll = () => {
    if (signal.aborted) return;
    const by = y < edge ? -scrollStep : y > window.innerHeight - edge ? scrollStep : 0;
    if (by !== 0) {
      window.scrollBy(0, by);
      look();
    }
    requestAnimationFrame(scroll);
  };
  const end = (keep: boolean) => {
    released.abort();
    list.hover(undefined);
    if (keep && drop) list.drop(drop);
  };
  handle.addEventListener("pointermove", (move) => ((y = move.clientY), look()), { signal });
  handle.addEventListener("pointerup", () => end(true), { signal });
  handle.addEventListener("pointercancel", () => end(false), { signal });
  window.addEventListener("keydown", (key) => void (key.key === "Escape" && end(false)), { signal });
  requestAnimationFrame(scroll);
}

/** The index among the other rows of a row whose centre is at `y`. */
function indexAt(rows: readonly HTMLElement[], y: number, from: number): number {
  let index = 0;
  for (const [at, row] of rows.entries()) {
    if (at === from) continue;
    const { top, height } = row.getBoundingClientRect();
    if (y < top + height / 2) return index;
    index += 1;
  }
  return index;
}
