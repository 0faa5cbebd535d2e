import type { Box } from "../../protocol.js";

/** Where a range of a section is in the engine's frame. */
export function boxOf(range: Range): Box {
  const { left, top, right, bottom } = range.getBoundingClientRect();
  const frame = range.startContainer.ownerDocument?.defaultView?.frameElement?.getBoundingClientRect();
  const [x, y] = [frame?.left ?? 0, frame?.top ?? 0];
  return { left: left + x, top: top + y, right: right + x, bottom: bottom + y };
}
