export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Extent {
  readonly width: number;
  readonly height: number;
}

/**
 * The position of the pages in the window. `x` and `y` are the offset of the top left corner from its default position.
 */
export interface View {
  readonly zoom: number;
  readonly x: number;
  readonly y: number;
}

export const mostZoom = 6;

/** Keeps the pages in the window: centred where they are smaller than it, without gaps where they are larger. */
export function clampView(view: View, content: Extent, window: Extent): View {
  return {
    zoom: view.zoom,
    x: clampAxis(view.x, content.width * view.zoom, window.width),
    y: clampAxis(view.y, content.height * view.zoom, window.height),
  };
}

/** Zooms around a point. */
export function zoomAt(view: View, zoom: number, point: Point): View {
  const next = Math.min(mostZoom, Math.max(1, zoom));
  const factor = next / view.zoom;
  return { zoom: next, x: point.x - (point.x - view.x) * factor, y: point.y - (point.y - view.y) * factor };
}

/** How far the pages can still be moved up, so that what is below comes into the window; 0 at the end. */
export function roomBelow(view: View, content: Extent, window: Extent): number {
  return Math.max(0, content.height * view.zoom + view.y - window.height);
}

export function roomAbove(view: View): number {
  return Math.max(0, -view.y);
}

function clampAxis(offset: number, size: number, room: number): number {
  if (size <= room) return (room - size) / 2;
  return Math.min(0, Math.max(room - size, offset));
}
