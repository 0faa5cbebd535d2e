import type { LongboxClient } from "@longbox/sdk/client";

/** Goes where a link leads without loading the document anew; new tabs and windows are left to the browser. */
export function follow(event: MouseEvent, longbox: LongboxClient): void {
  if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  const { pathname, search } = event.currentTarget as HTMLAnchorElement;
  longbox.navigate(pathname + search);
}
