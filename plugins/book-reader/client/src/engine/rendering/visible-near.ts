/**
 * What is shown nearest before something that is not, such as a note that opens in place: the renderer goes nowhere, to
 * an empty page, for a place without a box.
 */
export function visibleNear(anchor: Range | Element): Element | undefined {
  const start = "startContainer" in anchor ? anchor.startContainer : anchor;
  let near: Element | null = start.nodeType === Node.ELEMENT_NODE ? (start as Element) : start.parentElement;
  while (near && near.getClientRects().length === 0) near = near.previousElementSibling ?? near.parentElement;
  return near ?? undefined;
}
