import { nothing, svg, type SVGTemplateResult } from "lit";

const strokes = {
  play: ["M8 5l11 7-11 7z"],
  pause: ["M8 5v14", "M16 5v14"],
  back: ["M4.500 4v5h5", "M5 9a8.250 8.250 0 1 1-1.200 6"],
  forward: ["M19.500 4v5h-5", "M19 9a8.250 8.250 0 1 0 1.200 6"],
  previous: ["M6 5v14", "M19 5l-10 7 10 7z"],
  next: ["M18 5v14", "M5 5l10 7-10 7z"],
  volume: ["M4 9.500v5h3.500l5 4v-13l-5 4z", "M16 9a4.500 4.500 0 0 1 0 6", "M18.500 6.500a8 8 0 0 1 0 11"],
} as const;

export type Glyph = keyof typeof strokes;

/** Signs of players, in the style of the kit's icons. @param text - Stands in the middle: the seconds of a jump */
export function glyph(name: Glyph, text?: string): SVGTemplateResult {
  const number = svg`<text x="12" y="16.300" font-size="8" font-weight="700" text-anchor="middle" fill="currentColor" stroke="none">${text}</text>`;
  return svg`<svg class="icon" viewBox="0 0 24 24" width="1em" height="1em" fill=${name === "play" ? "currentColor" : "none"} stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">${strokes[name].map((path) => svg`<path d=${path}></path>`)}${text === undefined ? nothing : number}</svg>`;
}
