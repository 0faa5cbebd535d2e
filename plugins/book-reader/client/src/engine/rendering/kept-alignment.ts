/** Elements that the user's choice of alignment concerns. */
export const aligned = "p, li, blockquote, dd";
/** At the root element, once the elements to be left alone are known. */
export const ready = "longbox-aligned";
/** At elements that the book centres or sets at the far side, such as verses and inscriptions: they stay so. */
export const kept = "longbox-kept";

const atStart = new Set(["", "start", "left", "justify", "-webkit-auto"]);

/** Tells the elements that keep the alignment of the book, before any other is applied. */
export function keepAlignment(section: Document): void {
  const { documentElement: root, defaultView: window } = section;
  if (window === null) return;
  const isStart = ({ textAlign, direction }: CSSStyleDeclaration) =>
    atStart.has(textAlign) || (direction === "rtl" && textAlign === "right");
  for (const element of section.querySelectorAll(aligned))
    if (!isStart(window.getComputedStyle(element))) element.classList.add(kept);
  root.classList.add(ready);
}
