import type { Tell } from "../../protocol.js";

/** Pixels of the wheel that turn a page, and the pause until it turns another: one push of a touch pad lasts long. */
const pushPixels = 40;
const pauseMs = 250;
/** Wheels that report lines or pages instead of pixels. */
const unitPixels = [1, 20, 400] as const;

interface Followed {
  readonly document: Document;
  readonly tell: Tell;
  isScrolled(): boolean;
}

/** Turns pages by the wheel, where it does not move the text. */
export function followWheel({ document, tell, isScrolled }: Followed): void {
  let [pushed, last] = [0, Number.NEGATIVE_INFINITY];
  document.addEventListener(
    "wheel",
    (event) => {
      if (isScrolled() || event.ctrlKey) return;
      event.preventDefault();
      const isAside = Math.abs(event.deltaX) > Math.abs(event.deltaY);
      pushed += (isAside ? event.deltaX : event.deltaY) * (unitPixels[event.deltaMode as 0 | 1 | 2] ?? 1);
      if (Math.abs(pushed) < pushPixels || event.timeStamp - last < pauseMs) return;
      const isForward = pushed > 0;
      [pushed, last] = [0, event.timeStamp];
      if (isAside) tell("wheel", { to: isForward ? "right" : "left" });
      else tell("wheel", { to: isForward ? "next" : "previous" });
    },
    { passive: false },
  );
}
