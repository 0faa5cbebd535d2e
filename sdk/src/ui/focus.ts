/** The element that has the focus, within shadow roots as well. */
export function focusedElement(): HTMLElement | undefined {
  let focused = document.activeElement;
  while (focused?.shadowRoot?.activeElement) focused = focused.shadowRoot.activeElement;
  return focused instanceof HTMLElement && focused !== document.body ? focused : undefined;
}

/** Gives the focus back to an element, unless it is gone or something else took the focus. */
export function refocus(element: HTMLElement | undefined): void {
  if (element?.isConnected && focusedElement() === undefined) element.focus({ preventScroll: true });
}
