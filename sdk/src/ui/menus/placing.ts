/** A place in the window, in CSS pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

const edge = 8;
const gap = 4;

/** Moves something that is over the page beside an element, or to a point, and wholly into the window. */
export function placed(menu: HTMLElement, at: Element | Point): void {
  const { width, height } = menu.getBoundingClientRect();
  const { x, y } =
    at instanceof Element ? beside(at.getBoundingClientRect(), width, height) : besidePoint(at, width, height);
  menu.style.setProperty("left", `${Math.round(clamp(x, window.innerWidth - width))}px`);
  menu.style.setProperty("top", `${Math.round(clamp(y, window.innerHeight - height))}px`);
}

function beside(from: DOMRect, width: number, height: number): Point {
  const isRightmost = from.left + width > window.innerWidth - edge;
  const isLow = from.bottom + gap + height > window.innerHeight - edge && from.top - gap - height > edge;
  return { x: isRightmost ? from.right - width : from.left, y: isLow ? from.top - gap - height : from.bottom + gap };
}

function besidePoint({ x, y }: Point, width: number, height: number): Point {
  return {
    x: x + width > window.innerWidth - edge ? x - width : x,
    y: y + height > window.innerHeight - edge ? y - height : y,
  };
}

function clamp(place: number, most: number): number {
  return Math.max(edge, Math.min(place, most - edge));
}
