import { svg, type SVGTemplateResult } from "lit";

const strokes = {
  play: ["M8 5l11 7-11 7z"],
  pause: ["M8 5v14", "M16 5v14"],
  back: ["M5 4v5h5", "M5.500 9a8 8 0 1 1-1.200 6"],
  forward: ["M19 4v5h-5", "M18.500 9a8 8 0 1 0 1.200 6"],
  previous: ["M6 5v14", "M19 5l-10 7 10 7z"],
  next: ["M18 5v14", "M5 5l10 7-10 7z"],
} as const;

export type Glyph = keyof typeof strokes;

/** Signs of players, in the style of the kit's icons. */
export function glyph(name: Glyph): SVGTemplateResult {
  return svg`<svg class="icon" viewBox="0 0 24 24" width="1em" height="1em" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${strokes[name].map((path) => svg`<path d=${path}></path>`)}</svg>`;
}
