import type { LongboxClient } from "@longbox/sdk/client";

/** Goes to a page of the UI as a link does, and leaves new tabs and windows to the browser. */
export function follow(event: MouseEvent, longbox: LongboxClient): void {
  const link = event.currentTarget as HTMLAnchorElement;
  if (event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  longbox.navigate(link.pathname + link.search);
}
