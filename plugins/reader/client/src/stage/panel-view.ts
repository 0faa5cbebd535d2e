import type { Panel } from "../panels/find-panels.js";
import { mostZoom, type Extent, type View } from "./view-box.js";

/** How much of the window a panel fills. */
const share = 0.96;

/** The view in which a panel fills the window. @param leaf - the page's box */
export function viewOfPanel(panel: Panel, leaf: HTMLElement, window: Extent): View {
  const room = Math.min(
    window.width / (panel.width * leaf.offsetWidth),
    window.height / (panel.height * leaf.offsetHeight),
  );
  const zoom = Math.min(mostZoom, Math.max(1, room * share));
  const middle = {
    x: leaf.offsetLeft + (panel.x + panel.width / 2) * leaf.offsetWidth,
    y: leaf.offsetTop + (panel.y + panel.height / 2) * leaf.offsetHeight,
  };
  return { zoom, x: window.width / 2 - middle.x * zoom, y: window.height / 2 - middle.y * zoom };
}
