import { html, svg, type TemplateResult } from "lit";
import { isRightToLeft } from "../language/language.js";
import { strokes } from "./strokes.js";

/** What points along the line of text, and so the other way in languages that are read from the right. */
const pointing = new Set(["back", "next", "previous"]);

/**
 * A drawing beside text, or in a button that has a label of its own; screen readers skip it. Looks as `base` says.
 * @param name - One of `iconNames`; any other shows the plug of plugins.
 */
export function icon(name: string): TemplateResult {
  const lines = (strokes[name] ?? strokes["plugin"] ?? []).map((line) => svg`<path d=${line} />`);
  const way = isRightToLeft && pointing.has(name) ? " mirrored" : "";
  // Without spaces around the lines, which would count as text of the button or link.
  return html`<svg class="icon${way}" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${lines}</svg>`;
}

export const iconNames: readonly string[] = Object.keys(strokes);
