import { svg, html, type SVGTemplateResult, type TemplateResult } from "lit";

const shapes = {
  close: svg`<path d="M5 5l14 14M19 5L5 19"/>`,
  bookmark: svg`<path d="M7 3.5h10v17l-5-4-5 4z"/>`,
  note: svg`<path d="M4.500 19.500l1-4L16 5l3 3L8.500 18.500z"/><path d="M14 7l3 3"/>`,
  view: svg`<path d="M4 7h9M17 7h3M4 17h3M11 17h9"/><circle cx="15" cy="7" r="2"/><circle cx="9" cy="17" r="2"/>`,
  full: svg`<path d="M4 9V4h5M20 9V4h-5M4 15v5h5M20 15v5h-5"/>`,
  help: svg`<path d="M9 9a3 3 0 1 1 4.2 2.8c-.8.4-1.2 1-1.2 2.2"/><circle cx="12" cy="17.5" r=".6" fill="currentColor"/>`,
  back: svg`<path d="M15 5l-7 7 7 7"/>`,
  forth: svg`<path d="M9 5l7 7-7 7"/>`,
  check: svg`<path d="M5 12.5l4.5 4.5L19 7.5"/>`,
  later: svg`<circle cx="12" cy="12" r="8"/><path d="M12 7.5V12l3 2"/>`,
  read: svg`<path d="M12 6.5C9.5 4.8 6.5 4.5 3.5 5v13c3-.5 6-.2 8.5 1.5 2.5-1.7 5.500-2 8.5-1.5V5c-3-.5-6-.2-8.5 1.5zM12 6.5v13"/>`,
} satisfies Record<string, SVGTemplateResult>;

/** A line drawing in the colour of the text, hidden from screen readers. */
export function icon(name: keyof typeof shapes): TemplateResult {
  return html`<svg
    class="icon"
    viewBox="0 0 24 24"
    width="24"
    height="24"
    fill="none"
    stroke="currentColor"
    stroke-width="1.8"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    ${shapes[name]}
  </svg>`;
}
