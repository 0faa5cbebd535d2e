import { html, svg, type SVGTemplateResult, type TemplateResult } from "lit";
import { icon } from "../icons/icon.js";

/** What stands over the heading of an empty or failed page. */
export type Drawing = "box" | "search" | "plug" | "cloud" | "lock" | "torn";

const drawings: Readonly<Record<Drawing, SVGTemplateResult>> = {
  box: svg`<path d="M8 28h104l-6 48H14z" /><path d="M8 28 20 10h80l12 18" /><rect x="44" y="42" width="32" height="12" rx="6" />`,
  search: svg`<path d="M8 34h64" /><path d="M8 34l5 42h54" /><path d="M8 34 18 18h44" /><circle cx="82" cy="42" r="20" /><path d="m96 57 16 17" /><path d="M74 42h16" />`,
  plug: svg`<path d="M4 40h26" /><path d="M30 26v28h12a14 14 0 0 0 0-28z" /><path d="M56 34h12M56 46h12" /><path d="M116 40H94" /><path d="M94 26v28H84a6 6 0 0 1-6-6V32a6 6 0 0 1 6-6z" />`,
  cloud: svg`<path d="M34 62a18 18 0 0 1-1-36 26 26 0 0 1 50-3 20 20 0 0 1 4 39" /><path d="m48 74 24-24M72 74 48 50" />`,
  lock: svg`<rect x="34" y="34" width="52" height="42" rx="6" /><path d="M44 34V24a16 16 0 0 1 32 0v10" /><path d="M60 50v10" />`,
  torn: svg`<path d="M30 6h44l16 16v16l-12 8-12-8-12 8-12-8-12 8V6z" /><path d="M30 58l12-8 12 8 12-8 12 8 12-8v24H30z" /><path d="M74 6v16h16" />`,
};

export const drawingNames = Object.keys(drawings) as readonly Drawing[];

export function drawing(name: Drawing): TemplateResult {
  return html`<svg class="drawing" viewBox="0 0 120 80" aria-hidden="true" focusable="false">${drawings[name]}</svg>`;
}

/** The lock over a blurred cover. */
export function lockedSleeve(): TemplateResult {
  return html`<span class="locked">${icon("lock")}</span>`;
}
